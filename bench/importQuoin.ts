// Imports a file of blocks into a new data directory as `quoin blocks import` does, and prints what that took as JSON. A
// process of its own, so that its memory is known. Arguments: GENESIS BLOCKS DATA_DIRECTORY, and `true` to index accounts.
import { importInThread } from '../src/importing/importThread.ts'
import { toHex } from '../src/primitives/hex.ts'

const [genesisFile, blocks, dataPath, index] = process.argv.slice(2) as [string, string, string, string?]

const started = performance.now()
let head: string | undefined
await importInThread(
  {
    chain: { dataPath, keepRevertReasons: false, checkWork: false, indexAccounts: index === 'true' },
    genesisFile,
    networkId: undefined,
    files: [blocks],
    startBlock: 0n,
    endBlock: undefined,
  },
  {
    onProgress() {},
    onImported(_, outcome) {
      head = toHex(outcome.head.hash)
    },
  },
  new AbortController().signal,
)
const seconds = (performance.now() - started) / 1000
const usage = process.resourceUsage()
const cpuSeconds = (usage.userCPUTime + usage.systemCPUTime) / 1e6
process.stdout.write(`${JSON.stringify({ seconds, cpuSeconds, peakBytes: usage.maxRSS * 1024, head })}\n`)
