// Imports a file of blocks into a new data directory and prunes it meanwhile, as a node with --history-blocks does.
// Arguments: GENESIS BLOCKS DATA_DIRECTORY HISTORY_BLOCKS.
import { importBlockFile } from '../../src/blockfiles/importBlockFile.ts'
import { loadNetwork } from '../../src/chainData/network.ts'
import { openChain } from '../../src/chainData/openChain.ts'
import { startPruning } from '../../src/node/ports/pruning.ts'
import { createRecoverPool } from '../../src/recovery/recoverPool.ts'
import { systemClock } from '../../src/system/clock.ts'

const [genesisFile, blocks, dataPath, keep] = process.argv.slice(2) as [string, string, string, string]

const network = loadNetwork(genesisFile, undefined)
const { chain, consensus, close } = await openChain({ dataPath, network, keepRevertReasons: false, checkWork: false })
const recover = createRecoverPool()
const kept = { states: Number(keep), blocks: 0 }
const log = { error: (_: object, message: string) => console.error(message) }
const stopPruning = startPruning({ chain, clock: systemClock, log }, kept)
const options = { startBlock: 0n, endBlock: undefined, stop: new AbortController().signal, onProgress() {} }
await importBlockFile(blocks, { chain, consensus, recover }, options)
stopPruning()
await recover.close()
await close()
