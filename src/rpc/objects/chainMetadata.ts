import type { ChainView } from '../../chain/view.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Encoder } from '../codecs/codec.ts'

const schema = { type: 'object' }

interface ChainOfClient {
  readonly chain: ChainView
  readonly version: string
}

/** What `hardhat_metadata` returns. */
export const chainMetadata: Encoder<ChainOfClient> = {
  schema,
  encode: ({ chain, version }) =>
    JSON.stringify({
      clientVersion: version,
      chainId: Number(chain.spec.chainId),
      instanceId: toHex(chain.hashAt(0n)!),
      latestBlockNumber: Number(chain.head.header.number),
      latestBlockHash: toHex(chain.head.hash),
    }),
}

interface ChainWithPrice {
  readonly chain: ChainView
  readonly gasPrice: bigint
}

/** What `anvil_nodeInfo` returns. */
export const nodeSettings: Encoder<ChainWithPrice> = {
  schema,
  encode({ chain, gasPrice }) {
    const { header, hash } = chain.head
    const hex = (n: bigint) => `0x${n.toString(16)}`
    return JSON.stringify({
      currentBlockNumber: hex(header.number),
      currentBlockTimestamp: Number(header.timestamp),
      currentBlockHash: toHex(hash),
      hardFork: chain.rulesOf(header).fork,
      transactionOrder: 'fees',
      environment: {
        baseFee: hex(header.baseFee ?? 0n),
        chainId: Number(chain.spec.chainId),
        gasLimit: hex(header.gasLimit),
        gasPrice: hex(gasPrice),
      },
      forkConfig: { forkUrl: null, forkBlockNumber: null, forkRetryBackoff: null },
    })
  },
}
