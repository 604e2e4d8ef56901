import { type AskNode, createAskNode } from '../../blockfiles/askNode.ts'
import { failed } from '../../config/fault.ts'

/** Who decides on the validators: they themselves by votes, or a contract. */
export type Selection = 'votes' | 'contract'

/** What a command asks a node about validators. */
export interface ValidatorApi {
  readonly url: string
  readonly engine: 'qbft' | 'ibft' | 'clique'
  readonly selection: Selection
  /** Those of the next block, in lower case. */
  validators(): Promise<readonly string[]>
  head(): Promise<number>
  /** The address of the node's key. */
  address(): Promise<string>
  /** The last block that each has made, of the last hundred. */
  lastBlocks(): Promise<ReadonlyMap<string, number>>
  vote(subject: string, add: boolean): Promise<void>
  /** Takes a vote back. */
  discard(subject: string): Promise<void>
  /** What an operator sends to the own node to vote. */
  voteRequest(subject: string, add: boolean): string
}

const names = {
  qbft: {
    list: 'qbft_getValidatorsByBlockNumber',
    vote: 'qbft_proposeValidatorVote',
    discard: 'qbft_discardValidatorVote',
    pending: 'qbft_getPendingVotes',
  },
  ibft: {
    list: 'ibft_getValidatorsByBlockNumber',
    vote: 'ibft_proposeValidatorVote',
    discard: 'ibft_discardValidatorVote',
    pending: 'ibft_getPendingVotes',
  },
  clique: { list: 'clique_getSigners', vote: 'clique_propose', discard: 'clique_discard', pending: 'clique_proposals' },
} as const

type Engine = keyof typeof names
const engines = Object.keys(names) as Engine[]

/** Whether a node has a method. What it says if it does not is Besu's. */
async function has(ask: AskNode, method: string, ...params: readonly unknown[]): Promise<boolean> {
  try {
    await ask(method, ...params)
    return true
  } catch (error) {
    if (/not enabled|not found|does not exist/i.test((error as Error).message)) return false
    throw error
  }
}

async function engineOf(ask: AskNode): Promise<Engine | undefined> {
  for (const engine of engines) if (await has(ask, names[engine].list, 'latest')) return engine
  return undefined
}

interface Metrics {
  readonly address: string
  readonly lastProposedBlockNumber: string
}

/** Finds out what a node is a node of. */
export async function openValidatorApi(url: string, stop: AbortSignal): Promise<ValidatorApi> {
  const ask = createAskNode(url, stop)
  const engine = await engineOf(ask)
  if (engine === undefined)
    throw failed(
      `${url} does not tell of validators: it needs --rpc-http-api=ETH,NET,WEB3 and QBFT, IBFT or CLIQUE, whichever its network has`,
    )
  const method = names[engine]
  return {
    url,
    engine,
    selection: (await has(ask, method.pending)) ? 'votes' : 'contract',
    validators: async () => ((await ask(method.list, 'latest')) as string[]).map((address) => address.toLowerCase()),
    head: async () => Number(await ask('eth_blockNumber')),
    address: async () => ((await ask('eth_coinbase')) as string).toLowerCase(),
    lastBlocks: async () =>
      new Map(
        ((await ask(`${engine}_getSignerMetrics`)) as Metrics[]).map((one) => [
          one.address.toLowerCase(),
          Number(one.lastProposedBlockNumber),
        ]),
      ),
    vote: async (subject, add) => void (await ask(method.vote, subject, add)),
    discard: async (subject) => void (await ask(method.discard, subject)),
    voteRequest: (subject, add) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: method.vote, params: [subject, add] }),
  }
}
