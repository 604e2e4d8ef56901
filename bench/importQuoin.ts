// Imports a file of blocks into a new data directory as `quoin blocks import` does, and prints what that took as JSON. A
// process of its own, so that its memory is known. Arguments: GENESIS BLOCKS DATA_DIRECTORY.
import { importBlockFile } from '../src/node/importBlocks.ts'
import { loadNetwork } from '../src/node/network.ts'
import { openChain } from '../src/node/openChain.ts'
import { toHex } from '../src/primitives/hex.ts'
import { createRecoverPool } from '../src/primitives/recoverPool.ts'

const [genesis, blocks, dataPath] = process.argv.slice(2) as [string, string, string]

const network = loadNetwork(genesis, undefined)
const { chain, consensus, close } = await openChain({
  dataPath,
  network,
  keepRevertReasons: false,
  checkWork: false,
})
const started = performance.now()
const recover = createRecoverPool()
await importBlockFile(
  blocks,
  { chain, consensus, recover },
  { startBlock: 0n, endBlock: undefined, stop: new AbortController().signal, onProgress: () => {} },
)
const view = chain.view()
const head = toHex(view.head.hash)
view.close()
await recover.close()
await close()
const seconds = (performance.now() - started) / 1000
const usage = process.resourceUsage()
const cpuSeconds = (usage.userCPUTime + usage.systemCPUTime) / 1e6
process.stdout.write(`${JSON.stringify({ seconds, cpuSeconds, peakBytes: usage.maxRSS * 1024, head })}\n`)
