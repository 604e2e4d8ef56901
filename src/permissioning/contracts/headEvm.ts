import type { ChainView } from '../../chain/view.ts'
import { createEvm } from '../../evm/createEvm.ts'
import type { Evm } from '../../evm/evm.ts'
import { type CallBlock, callBlockOf } from '../../execution/callContract.ts'
import type { Address } from '../../primitives/bytes.ts'
import { createHost } from '../../state/createHost.ts'
import type { Header } from '../../types/header.ts'

/** Lends an EVM with the state after the head, and the block of the head; `use` must leave the state as it was. */
export type AtHead = <T>(use: (evm: Evm, block: CallBlock) => T) => T

export interface HeadEvmParts {
  /** Returns the same object until the head changes. */
  view(): ChainView
  /** Who collects the fees of a block; undefined if its header says it. */
  beneficiary(header: Header): Address | undefined
}

/** An EVM keeps all that it has read: from this many bytes on it starts afresh. */
const cacheLimit = 256 << 20

/** An EVM of its own, which keeps what it has read until the head changes. */
export function createHeadEvm({ view, beneficiary }: HeadEvmParts): AtHead {
  let evm: Evm | undefined
  /** The head whose state the EVM has. */
  let ready: { readonly chain: ChainView; readonly block: CallBlock } | undefined

  return (use) => {
    evm ??= createEvm('fast')
    const chain = view()
    let here = ready
    // Forgotten until `use` returns: whatever throws may leave changes behind.
    ready = undefined
    if (here?.chain !== chain || evm.memoryBytes() >= cacheLimit) {
      const { header } = chain.head
      evm.reset(createHost(chain.stateAt(header.number), (number) => chain.hashAt(number)))
      here = { chain, block: callBlockOf(header, chain.rulesOf(header), chain.spec.chainId, beneficiary(header)) }
    }
    const result = use(evm, here.block)
    ready = here
    return result
  }
}
