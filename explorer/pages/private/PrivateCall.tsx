import type { AbiFunction, Hex } from 'viem'
import { useSite } from '../../data/session.ts'
import { FunctionForm, showReturned } from '../../parts/FunctionForm.tsx'

/** One function of a private contract that reads, asked in the private state of its group. */
export function PrivateCall({ group, address, item }: { group: string; address: Hex; item: AbiFunction }) {
  const { ask } = useSite()
  return (
    <FunctionForm
      {...{ address, item }}
      action="Call"
      run={async (data) => {
        const output = await ask<Hex | null>('priv_call', [group, { to: address, data }, 'latest'])
        return showReturned(item, output ?? '0x')
      }}
    />
  )
}
