import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type AbiFunction, decodeFunctionResult, encodeFunctionData, type Hex, parseEther } from 'viem'
import { abisFor } from '../../data/abiStore.ts'
import { type Ask, RpcError } from '../../data/rpc.ts'
import { useSite } from '../../data/session.ts'
import { findWallet, sendByWallet } from '../../data/wallet.ts'
import { pairValues } from '../../decode/decoded.ts'
import { parseArgument } from '../../decode/parseArgument.ts'
import { explainRevert } from '../../decode/revertReason.ts'
import { returnsAmount } from '../../decode/tokenAmounts.ts'
import { toQuantity } from '../../format/quantity.ts'
import { DecodedValues } from '../../parts/DecodedValues.tsx'
import { TxLink } from '../../parts/Links.tsx'
import { Text } from '../../parts/Text.tsx'

async function read(ask: Ask, item: AbiFunction, to: Hex, data: Hex, block: string): Promise<ComponentChildren> {
  const output = await ask<Hex>('eth_call', [{ to, data }, block])
  const result = decodeFunctionResult({ abi: [item], functionName: item.name, data: output }) as unknown
  const values = pairValues(item.outputs, item.outputs.length === 1 ? [result] : result)
  return <DecodedValues decoded={{ name: 'Returns', values }} token={to} amounts={[returnsAmount(item.name)]} />
}

async function write(ask: Ask, to: Hex, data: Hex, value: bigint): Promise<ComponentChildren> {
  const wallet = findWallet()
  if (!wallet)
    return 'There is no wallet in this browser: install one (EIP-1193), or send the transaction by other means.'
  const hash = await sendByWallet(wallet, await ask<Hex>('eth_chainId'), to, data, toQuantity(value))
  return (
    <>
      Sent: <TxLink hash={hash} />
    </>
  )
}

function explain(error: unknown, address: Hex, block: string): string {
  if (error instanceof RpcError && typeof error.data === 'string')
    return explainRevert(error.data as Hex, abisFor(address, block))
  const { message = String(error), shortMessage } = error as { message?: string; shortMessage?: string }
  return shortMessage ?? message
}

/** One function of a contract, with a field for each parameter. */
export function CallForm({
  address,
  block,
  item,
  writes,
}: {
  address: Hex
  block: string
  item: AbiFunction
  writes: boolean
}) {
  const { ask } = useSite()
  const [texts, setTexts] = useState<readonly string[]>(() => item.inputs.map(() => ''))
  const [ether, setEther] = useState('')
  const [outcome, setOutcome] = useState<ComponentChildren>()
  const payable = item.stateMutability === 'payable'

  async function call(event: Event): Promise<void> {
    event.preventDefault()
    try {
      const args = item.inputs.map((parameter, i) => parseArgument(parameter, texts[i]!))
      const data = encodeFunctionData({ abi: [item], functionName: item.name, args })
      setOutcome(writes ? 'Waiting for the wallet …' : '…')
      setOutcome(
        await (writes ? write(ask, address, data, parseEther(ether || '0')) : read(ask, item, address, data, block)),
      )
    } catch (error) {
      setOutcome(
        <span class="bad-text">
          <Text value={explain(error, address, block)} max={400} />
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
      {payable && (
        <label>
          <span>
            value <span class="unit">ether</span>
          </span>
          <input class="mono" value={ether} onInput={(event) => setEther(event.currentTarget.value)} />
        </label>
      )}
      <button type="submit" class="button small">
        {writes ? 'Send by wallet' : 'Call'}
        <span class="visually-hidden"> {item.name.slice(0, 80)}</span>
      </button>
      <div class="outcome" role="status">
        {outcome}
      </div>
    </form>
  )
}
