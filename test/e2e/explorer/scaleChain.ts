import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HashedHeader } from '../../../src/chain/view.ts'
import { loadNetwork } from '../../../src/chainData/network.ts'
import { openChain } from '../../../src/chainData/openChain.ts'
import { draftHeader } from '../../../src/consensus/producing/draftHeader.ts'
import { devAccounts } from '../../../src/forks/devGenesis.ts'
import { importInThread } from '../../../src/importing/importThread.ts'
import { type Address, concatBytes, emptyBytes, zeroAddress } from '../../../src/primitives/bytes.ts'
import { fromHex, hexToAddress } from '../../../src/primitives/hex.ts'
import { oneStep } from '../../../src/primitives/steps.ts'
import { encodeBlock } from '../../../src/types/block.ts'
import { headerHash } from '../../../src/types/header.ts'
import { rememberSender, signTx } from '../../../src/types/signTx.ts'
import type { Tx } from '../../../src/types/transaction.ts'

/** A long chain on disk: transactions of one account in its first blocks, then blocks without any. */
export interface ScaleChain {
  readonly genesis: string
  readonly data: string
  readonly blocks: number
}

/** Receives all transactions. */
export const busy = '0x00000000000000000000000000000000000b0551'
export const busyTransactions = 100_000
const perBlock = 100
const start = 1_600_000_000
const chainId = 1337n
const [sender] = devAccounts

const forks = ['homestead', 'eip150', 'eip155', 'eip158', 'byzantium', 'constantinople', 'petersburg', 'istanbul']

/** Rules of Paris: blocks need no seal, and those without transactions change no state. */
const genesisFile = {
  config: {
    chainId: Number(chainId),
    ...Object.fromEntries([...forks, 'berlin', 'london'].map((fork) => [`${fork}Block`, 0])),
    terminalTotalDifficulty: 0,
  },
  nonce: '0x0',
  timestamp: `0x${start.toString(16)}`,
  gasLimit: '0x1c9c380',
  difficulty: '0x0',
  alloc: { [sender.address]: { balance: '0xd3c21bcecceda1000000' } },
}

function transferOf(nonce: number): Tx {
  const fees = { gasPrice: 2_000_000_000n, gasLimit: 21_000n }
  const tx = signTx(
    { type: 0, chainId, nonce: BigInt(nonce), ...fees, to: hexToAddress(busy), value: 1n, data: emptyBytes },
    fromHex(sender.privateKey),
  )
  rememberSender(tx, hexToAddress(sender.address) as Address)
  return tx
}

const planAt = (timestamp: number) => ({
  timestamp: BigInt(timestamp),
  beneficiary: zeroAddress,
  extraData: emptyBytes,
  difficulty: 0n,
  targetGasLimit: undefined,
})

/** Makes the chain on first use; it is kept with the system's temporary files. */
export async function prepareScaleChain(blocks: number, say: (text: string) => void): Promise<ScaleChain> {
  const folder = join(tmpdir(), `quoin-e2e-scale-${blocks}`)
  const chainIn = (of: string): ScaleChain => ({ genesis: join(of, 'genesis.json'), data: join(of, 'data'), blocks })
  if (!existsSync(folder)) {
    const fresh = `${folder}-making`
    rmSync(fresh, { recursive: true, force: true })
    mkdirSync(fresh, { recursive: true })
    const started = performance.now()
    await makeChain(chainIn(fresh), join(fresh, 'empty.rlp'))
    rmSync(join(fresh, 'empty.rlp'))
    renameSync(fresh, folder)
    say(`made ${blocks} blocks in ${Math.round((performance.now() - started) / 1000)} s`)
  }
  return chainIn(folder)
}

async function makeChain({ genesis, data, blocks }: ScaleChain, file: string): Promise<void> {
  writeFileSync(genesis, JSON.stringify(genesisFile))
  const network = loadNetwork(genesis, undefined)
  const options = { dataPath: data, keepRevertReasons: false, checkWork: false, indexAccounts: true }
  const { chain, close } = await openChain({ ...options, network })
  for (let sent = 0; sent < busyTransactions; sent += perBlock) {
    const parent = chain.head()
    const header = draftHeader(parent, planAt(Number(parent.header.timestamp) + 1), chain.spec)
    const chosen = Array.from({ length: perBlock }, (_, i) => transferOf(sent + i))
    chain.produce(
      { header, transactions: [], ommers: [], withdrawals: undefined },
      oneStep((run) => {
        for (const tx of chosen) run.add(tx, hexToAddress(sender.address) as Address)
        return chosen
      }),
    )
  }
  const head = chain.head()
  const { spec } = chain
  await close()
  writeEmptyBlocks(file, head, blocks, spec)
  await importInThread(
    { chain: options, genesisFile: genesis, networkId: undefined, files: [file], startBlock: 0n, endBlock: undefined },
    { onProgress() {}, onImported() {} },
    new AbortController().signal,
  )
}

/** Writes blocks without transactions after `head`, up to number `last`. */
function writeEmptyBlocks(
  file: string,
  head: HashedHeader,
  last: number,
  spec: Parameters<typeof draftHeader>[2],
): void {
  const out = openSync(file, 'w')
  let parent = head
  let waiting: Uint8Array[] = []
  for (let number = Number(head.header.number) + 1; number <= last; number++) {
    const draft = draftHeader(parent, planAt(Number(parent.header.timestamp) + 1), spec)
    const header = { ...draft, stateRoot: head.header.stateRoot }
    parent = { header, hash: headerHash(header) }
    waiting.push(encodeBlock({ header, transactions: [], ommers: [], withdrawals: undefined }))
    if (waiting.length < 1000 && number < last) continue
    writeSync(out, concatBytes(...waiting))
    waiting = []
  }
  closeSync(out)
}
