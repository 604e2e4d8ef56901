import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type AbiFunction, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { useSite } from '../../data/session.ts'
import { pairValues } from '../../decode/decoded.ts'
import { parseArgument } from '../../decode/parseArgument.ts'
import { DecodedValues } from '../../parts/DecodedValues.tsx'
import { Text } from '../../parts/Text.tsx'

/** One function of a private contract that reads, asked in the private state of its group. */
export function PrivateCall({ group, address, item }: { group: string; address: Hex; item: AbiFunction }) {
  const { ask } = useSite()
  const [texts, setTexts] = useState<readonly string[]>(() => item.inputs.map(() => ''))
  const [outcome, setOutcome] = useState<ComponentChildren>()

  async function call(event: Event): Promise<void> {
    event.preventDefault()
    try {
      const args = item.inputs.map((parameter, i) => parseArgument(parameter, texts[i]!))
      const data = encodeFunctionData({ abi: [item], functionName: item.name, args })
      const output = await ask<Hex | null>('priv_call', [group, { to: address, data }, 'latest'])
      const result = decodeFunctionResult({ abi: [item], functionName: item.name, data: output ?? '0x' }) as unknown
      const values = pairValues(item.outputs, item.outputs.length === 1 ? [result] : result)
      setOutcome(<DecodedValues decoded={{ name: 'Returns', values }} />)
    } catch (error) {
      const { message, shortMessage } = error as { message: string; shortMessage?: string }
      setOutcome(
        <span class="bad-text">
          <Text value={shortMessage ?? message} max={400} />
        </span>,
      )
    }
  }

  return (
    <form class="call-form" onSubmit={call}>
      <h3>
        <Text value={item.name} max={80} />
      </h3>
      {item.inputs.map((parameter, i) => (
        <label key={`${i} ${parameter.name}`}>
          <span>
            <Text value={parameter.name || `#${i}`} max={60} /> <span class="unit">{parameter.type}</span>
          </span>
          <input
            class="mono"
            spellcheck={false}
            value={texts[i]}
            onInput={(event) => setTexts(texts.with(i, event.currentTarget.value))}
          />
        </label>
      ))}
      <button type="submit" class="button small">
        Call<span class="visually-hidden"> {item.name.slice(0, 80)}</span>
      </button>
      <div class="outcome" role="status">
        {outcome}
      </div>
    </form>
  )
}
