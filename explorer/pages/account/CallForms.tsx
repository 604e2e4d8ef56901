import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type AbiFunction, type Hex, parseEther } from 'viem'
import type { Ask } from '../../data/rpc.ts'
import { useSite } from '../../data/session.ts'
import { sendByWallet } from '../../data/wallet.ts'
import { toQuantity } from '../../format/quantity.ts'
import { FunctionForm, showReturned } from '../../parts/FunctionForm.tsx'
import { TxLink } from '../../parts/Links.tsx'

async function write(ask: Ask, to: Hex, data: Hex, value: bigint): Promise<ComponentChildren> {
  const hash = await sendByWallet(await ask<Hex>('eth_chainId'), to, data, toQuantity(value))
  return (
    <>
      Sent: <TxLink hash={hash} />
    </>
  )
}

interface Options {
  readonly address: Hex
  readonly block: string
  readonly item: AbiFunction
}

/** A function that reads, as of a block. */
export function ReadForm({ address, block, item }: Options) {
  const { ask } = useSite()
  return (
    <FunctionForm
      {...{ address, block, item }}
      action="Call"
      run={async (data) => showReturned(item, await ask<Hex>('eth_call', [{ to: address, data }, block]), address)}
    />
  )
}

/** A function that the browser's wallet calls with a transaction. */
export function WriteForm({ address, block, item }: Options) {
  const { ask } = useSite()
  const [ether, setEther] = useState('')
  return (
    <FunctionForm
      {...{ address, block, item }}
      action="Send by wallet"
      waiting="Waiting for the wallet …"
      run={(data) => write(ask, address, data, parseEther(ether || '0'))}
    >
      {item.stateMutability === 'payable' && (
        <label>
          <span>
            value <span class="unit">ether</span>
          </span>
          <input class="mono" value={ether} onInput={(event) => setEther(event.currentTarget.value)} />
        </label>
      )}
    </FunctionForm>
  )
}
