// Imports a file of blocks into a new data directory and prints what that took as JSON. A process of its own, so that its
// memory is known. Arguments: GENESIS BLOCKS DATA_DIRECTORY.
import { readFileSync } from 'node:fs'
import { createChain } from '../src/chain/chain.ts'
import { createMainnetEngine } from '../src/consensus/mainnet/mainnetEngine.ts'
import { createEngine } from '../src/evm/engine.ts'
import { createChainSpec } from '../src/forks/chainSpec.ts'
import { parseGenesisFile } from '../src/forks/genesisFile.ts'
import { recoverSenders } from '../src/pool/recoverSenders.ts'
import { toHex } from '../src/primitives/hex.ts'
import { createRecoverPool } from '../src/primitives/recoverPool.ts'
import { rlpItemEnd } from '../src/primitives/rlp.ts'
import { createStateStore } from '../src/state/stateStore.ts'
import { openStore } from '../src/store/openStore.ts'
import { type Block, decodeBlock } from '../src/types/block.ts'

/** Blocks that are written in one transaction. */
const batchSize = 16

const [genesisFile, blocksFile, dataDirectory] = process.argv.slice(2) as [string, string, string]

function* batches(): Generator<Block[]> {
  const file = readFileSync(blocksFile)
  let batch: Block[] = []
  for (let at = 0, end = 0; at < file.length; at = end) {
    end = rlpItemEnd(file, at)
    batch.push(decodeBlock(file.subarray(at, end)))
    if (batch.length === batchSize || end === file.length) {
      yield batch
      batch = []
    }
  }
}

const spec = createChainSpec(parseGenesisFile(readFileSync(genesisFile, 'utf8')))
const store = openStore(dataDirectory)
const chain = createChain({
  spec,
  store,
  states: createStateStore(store),
  consensus: createMainnetEngine({ spec }),
  evm: createEngine('fast'),
})
const recoverPool = createRecoverPool()

const started = performance.now()
// While this thread runs a batch, others recover the senders of the next one.
let ready: Block[] = []
for (const next of batches()) {
  const recovered = recoverSenders(
    next.flatMap((block) => block.transactions),
    recoverPool,
  )
  chain.importBlocks(ready)
  await recovered
  ready = next
}
chain.importBlocks(ready)
const seconds = (performance.now() - started) / 1000

const { hash } = chain.view().head
const usage = process.resourceUsage()
await recoverPool.close()
await store.close()
process.stdout.write(
  JSON.stringify({
    seconds,
    cpuSeconds: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
    peakBytes: usage.maxRSS * 1024,
    head: toHex(hash),
  }) + '\n',
)
