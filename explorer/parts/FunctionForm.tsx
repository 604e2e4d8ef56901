import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type AbiFunction, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { abisFor } from '../data/abiStore.ts'
import { RpcError } from '../data/rpc.ts'
import { pairValues } from '../decode/decoded.ts'
import { parseArgument } from '../decode/parseArgument.ts'
import { explainRevert } from '../decode/revertReason.ts'
import { returnsAmount } from '../decode/tokenAmounts.ts'
import { DecodedValues } from './DecodedValues.tsx'
import { Text } from './Text.tsx'

function explain(error: unknown, address: Hex, block: string): string {
  if (error instanceof RpcError && typeof error.data === 'string')
    return explainRevert(error.data as Hex, abisFor(address, block))
  const { message = String(error), shortMessage } = error as { message?: string; shortMessage?: string }
  return shortMessage ?? message
}

/** What a function returned; amounts in units of the token, where the public chain has it. */
export function showReturned(item: AbiFunction, output: Hex, token?: Hex): ComponentChildren {
  const result = decodeFunctionResult({ abi: [item], functionName: item.name, data: output }) as unknown
  const values = pairValues(item.outputs, item.outputs.length === 1 ? [result] : result)
  return <DecodedValues decoded={{ name: 'Returns', values }} token={token} amounts={[returnsAmount(item.name)]} />
}

/** One function of a contract: a field for each parameter, a button, and below it what `run` does with the input that they make. */
export function FunctionForm({
  address,
  block = 'latest',
  item,
  action,
  waiting = '…',
  children,
  run,
}: {
  address: Hex
  block?: string
  item: AbiFunction
  /** What the button says. */
  action: string
  /** What is said until there is an outcome. */
  waiting?: string
  /** Further fields. */
  children?: ComponentChildren
  run: (input: Hex) => Promise<ComponentChildren>
}) {
  const [texts, setTexts] = useState<readonly string[]>(() => item.inputs.map(() => ''))
  const [outcome, setOutcome] = useState<ComponentChildren>()

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    try {
      const args = item.inputs.map((parameter, i) => parseArgument(parameter, texts[i]!))
      const input = encodeFunctionData({ abi: [item], functionName: item.name, args })
      setOutcome(waiting)
      setOutcome(await run(input))
    } catch (error) {
      setOutcome(
        <span class="bad-text">
          <Text value={explain(error, address, block)} max={400} />
        </span>,
      )
    }
  }

  return (
    <form class="call-form" onSubmit={submit}>
      <h3>
        <Text value={item.name} max={80} />
      </h3>
      {item.inputs.map((parameter, i) => (
        <label key={`${i} ${parameter.name}`}>
          <span>
            <Text value={parameter.name || `#${i}`} max={60} />{' '}
            <span class="unit">
              <Text value={parameter.type} max={60} />
            </span>
          </span>
          <input
            class="mono"
            spellcheck={false}
            value={texts[i]}
            onInput={(event) => setTexts(texts.with(i, event.currentTarget.value))}
          />
        </label>
      ))}
      {children}
      <button type="submit" class="button small">
        {action}
        <span class="visually-hidden"> {item.name.slice(0, 80)}</span>
      </button>
      <div class="outcome" role="status">
        {outcome}
      </div>
    </form>
  )
}
