import type { AskChain } from '../chain.ts'

/** How a contract came to be. */
export interface Deployment {
  readonly transactionHash: string
  readonly blockNumber: string
  readonly transactionIndex: string
  readonly deployer: string
}

/** A deployment with the code that ran; digits without 0x. */
export interface FoundDeployment {
  readonly deployment: Deployment
  readonly creationCode: string
}

interface Transaction {
  readonly from: string
  readonly input: string
  readonly blockNumber: string | null
  readonly transactionIndex: string | null
}

interface Receipt {
  readonly contractAddress: string | null
}

interface Frame {
  readonly type: string
  readonly to?: string
  readonly from: string
  readonly input: string
  readonly error?: string
  readonly calls?: readonly Frame[]
}

const isSame = (one: string | null | undefined, other: string) => one?.toLowerCase() === other.toLowerCase()

/**
 * Finds the transaction that created a contract, the given one if it did, and the code that it ran. Undefined where that cannot be known:
 * contracts of the genesis block, or where the state was pruned.
 */
export async function findDeployment(
  ask: AskChain,
  address: string,
  given: string | undefined,
): Promise<FoundDeployment | undefined> {
  const named = given === undefined ? undefined : await deploymentIn(ask, address, given)
  if (named) return named
  const found = await orNothing(ask<{ hash: string } | null>('ots_getContractCreator', [address]))
  return found ? deploymentIn(ask, address, found.hash) : undefined
}

async function deploymentIn(ask: AskChain, address: string, hash: string): Promise<FoundDeployment | undefined> {
  const [tx, receipt] = await Promise.all([
    orNothing(ask<Transaction | null>('eth_getTransactionByHash', [hash])),
    orNothing(ask<Receipt | null>('eth_getTransactionReceipt', [hash])),
  ])
  if (!tx || !receipt || tx.blockNumber === null) return undefined
  const code = isSame(receipt.contractAddress, address) ? tx.input : await createdInside(ask, address, hash)
  return code === undefined
    ? undefined
    : {
        creationCode: code.slice(2).toLowerCase(),
        deployment: {
          transactionHash: hash,
          blockNumber: String(Number(tx.blockNumber)),
          transactionIndex: String(Number(tx.transactionIndex)),
          deployer: tx.from,
        },
      }
}

/** The code with which another contract created this one. */
async function createdInside(ask: AskChain, address: string, hash: string): Promise<string | undefined> {
  const top = await orNothing(ask<Frame>('debug_traceTransaction', [hash, { tracer: 'callTracer' }]))
  return top && creationIn(top, address)?.input
}

function creationIn(frame: Frame, address: string): Frame | undefined {
  if (frame.type.startsWith('CREATE') && frame.error === undefined && isSame(frame.to, address)) return frame
  for (const call of frame.calls ?? []) {
    const found = creationIn(call, address)
    if (found) return found
  }
  return undefined
}

/** What the node does not serve or has no more is left out. */
async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch {
    return undefined
  }
}
