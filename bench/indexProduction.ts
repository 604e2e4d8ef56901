// Makes the blocks of a file again, transaction by transaction, in a new data directory, and prints what that took as JSON; the
// transactions are read and their senders recovered before. Arguments: GENESIS BLOCKS DATA_DIRECTORY INDEX (true or false).
import { readBlockFile } from '../src/blockfiles/blockFile.ts'
import { loadNetwork } from '../src/chainData/network.ts'
import { openChain } from '../src/chainData/openChain.ts'
import { draftHeader } from '../src/consensus/producing/draftHeader.ts'
import { zeroAddress } from '../src/primitives/bytes.ts'
import { oneStep } from '../src/primitives/steps.ts'
import type { Block } from '../src/types/block.ts'
import { senderOf } from '../src/types/signTx.ts'

const [genesisFile, file, dataPath, index] = process.argv.slice(2) as [string, string, string, string]
const blocks: Block[] = []
for await (const { block } of readBlockFile(file)) {
  for (const tx of block.transactions) senderOf(tx)
  blocks.push(block)
}
const network = loadNetwork(genesisFile, undefined)
const options = { keepRevertReasons: false, checkWork: false, indexAccounts: index === 'true' }
const { chain, close } = await openChain({ dataPath, network, ...options })

const started = performance.now()
const before = process.cpuUsage()
for (const { header, transactions } of blocks) {
  const { timestamp, extraData, difficulty } = header
  const plan = { timestamp, extraData, difficulty, beneficiary: zeroAddress, targetGasLimit: undefined }
  const draft = draftHeader(chain.head(), plan, chain.spec)
  chain.produce(
    { header: draft, transactions: [], ommers: [], withdrawals: undefined },
    oneStep((run) => {
      for (const tx of transactions) run.add(tx, senderOf(tx))
      return transactions
    }),
  )
}
const seconds = (performance.now() - started) / 1000
const { user, system } = process.cpuUsage(before)
const made = Number(chain.head().header.number)
await close()
process.stdout.write(`${JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, made })}\n`)
