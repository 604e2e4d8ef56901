import type { SendText } from '../jsonrpc/remoteCall.ts'
import type { Access } from '../rpc/server/gate.ts'
import type { Clock } from '../system/clock.ts'
import type { Logger } from '../system/logger.ts'
import { createAskChain } from './chain.ts'
import { createCompilers } from './compiling/compilers.ts'
import { createCompiling } from './compiling/createCompiling.ts'
import { createLibrary } from './createLibrary.ts'
import { openSourceStore } from './keeping/sourceStore.ts'
import { matchOf } from './keeping/verifiedContract.ts'
import { createSourceServer, type SourceServer } from './serving/createSourceServer.ts'
import { etherscanRoutes } from './serving/etherscanRoutes.ts'
import { pageRoutes } from './serving/pageRoutes.ts'
import { type SourcifyParts, sourcifyRoutes } from './serving/sourcifyRoutes.ts'
import { createJobs } from './verifying/createJobs.ts'
import { verifyContract } from './verifying/verifyContract.ts'

export interface SourcesOptions {
  /** Where sources are kept. */
  readonly folder: string
  /** Folder of compilers. */
  readonly compilers: string | undefined
  /** Whether anybody may give ABIs where nobody logs in. */
  readonly openAbis: boolean
}

export interface SourcesPorts {
  /** Calls the node whose contracts these are. */
  readonly send: SendText
  readonly access: Access
  readonly clock: Clock
  readonly log: Logger
}

/** Sources of contracts: verified, kept and served. */
export interface Sources extends SourceServer {
  stop(): void
}

/** What a compiler may take, and what is kept. */
const compileLimits = { time: 180_000, memory: 2048, answer: 12 << 20 }
const storeLimits = { contract: 4 << 20, all: 1 << 30 }

export async function createSources(options: SourcesOptions, ports: SourcesPorts): Promise<Sources> {
  const { send, access, clock, log } = ports
  const ask = createAskChain(send)
  const store = await openSourceStore(options.folder, storeLimits)
  const library = createLibrary(ask, store)
  const compilers = createCompilers(options.compilers)
  const compiling = createCompiling({ compilers, limits: compileLimits, folder: options.folder, clock, log })
  const now = () => clock.now()
  const onInternalError = (error: unknown) =>
    log.error({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }, 'internal error')
  const jobs = createJobs({
    ...{ store, now, onInternalError },
    onVerified: (contract) =>
      log.info({ ...contract, match: matchOf(contract) }, 'verified {name} at {address}: {match}'),
    verify: async (submission) => verifyContract({ ask, compiling, chainId: await library.chainId() }, submission),
  })
  const parts: SourcifyParts = { ask, library, store, jobs }
  const onGiven = (address: string, client: string, isGone: boolean) =>
    log.info(
      { address, client },
      isGone ? 'the ABI given for {address} was taken away' : 'an ABI was given for {address}',
    )
  const routes = [
    ...sourcifyRoutes(parts),
    ...etherscanRoutes(parts),
    ...pageRoutes({ ...parts, compilers, now, onGiven }),
  ]
  return { ...createSourceServer(options, { routes, access, onInternalError }), stop: compiling.stop }
}
