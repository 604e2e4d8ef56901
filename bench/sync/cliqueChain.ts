import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HashedHeader } from '../../src/chain/view.ts'
import { loadNetwork } from '../../src/chainData/network.ts'
import { openChain } from '../../src/chainData/openChain.ts'
import { cliqueGenesisExtraData, unsealedExtraData } from '../../src/consensus/clique/extraData.ts'
import { sealCliqueHeader } from '../../src/consensus/clique/sealHeader.ts'
import { draftHeader } from '../../src/consensus/producing/draftHeader.ts'
import type { ChainSpec } from '../../src/forks/chainSpec.ts'
import { createLocalKey } from '../../src/keys/nodeIdentity.ts'
import { type Address, zeroAddress } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { encodeBlock } from '../../src/types/block.ts'
import { encodeHeader, type Header } from '../../src/types/header.ts'
import type { Tx } from '../../src/types/transaction.ts'
import { benchChainId } from '../signedTransfers.ts'
import { type ChainMaker, type MadeChain, produceChain } from './produceChain.ts'

/** Blocks a second apart from here on, so that all of them lie in the past. */
export const chainStart = 1_700_000_000

/** The key of the only validator. */
export const signerKey = bigIntToFixed(0xc119n, 32)

export const signer = createLocalKey(signerKey)

/** Accounts with a balance, who send in turns. */
export const users: readonly { readonly key: Uint8Array; readonly address: Address }[] = Array.from(
  { length: 1000 },
  (_, i) => {
    const key = bigIntToFixed(BigInt(i + 1), 32)
    return { key, address: privateKeyToAddress(key) }
  },
)

/** A network of one signer, as text of its genesis file. Clique, because Besu and geth have it too. */
export function cliqueGenesis(alloc: Readonly<Record<string, object>> = {}): string {
  const forks = ['homestead', 'eip150', 'eip155', 'eip158', 'byzantium', 'constantinople', 'petersburg', 'istanbul']
  const blocks = [...forks, 'berlin', 'london'].map((fork) => [`${fork}Block`, 0])
  return JSON.stringify({
    config: {
      chainId: Number(benchChainId),
      ...Object.fromEntries(blocks),
      clique: { blockperiodseconds: 1, epochlength: 30_000, period: 1, epoch: 30_000 },
    },
    nonce: '0x0',
    timestamp: `0x${chainStart.toString(16)}`,
    gasLimit: '0x1c9c380',
    difficulty: '0x1',
    extraData: toHex(cliqueGenesisExtraData([signer.address])),
    alloc: {
      ...Object.fromEntries(users.map(({ address }) => [toHex(address), { balance: '0xd3c21bcecceda1000000' }])),
      ...alloc,
    },
  })
}

const epoch = 30_000n

function nextHeader(parent: HashedHeader, spec: ChainSpec): Header {
  const number = parent.header.number + 1n
  const plan = {
    timestamp: BigInt(chainStart) + number,
    beneficiary: zeroAddress,
    // Every epoch the signers are named.
    extraData: unsealedExtraData(new Uint8Array(32), number % epoch === 0n ? [signer.address] : []),
    difficulty: 2n,
    targetGasLimit: undefined,
  }
  return draftHeader(parent, plan, spec)
}

const seal = (header: Header) => sealCliqueHeader(header, signer.sign)

/** How the only signer makes blocks. */
export const cliqueMaker: ChainMaker = { nextHeader, beneficiary: signer.address, seal }

/** Makes blocks on a genesis file with these transactions each, into a new data directory of Quoin and into a file of RLP blocks. */
export function makeCliqueChain(
  genesisFile: string,
  dataPath: string,
  rlpFile: string,
  blocks: number,
  transactionsOf: (number: number) => readonly { readonly tx: Tx; readonly sender: Address }[],
): Promise<MadeChain> {
  const all = (function* () {
    for (let number = 1; number <= blocks; number++) yield transactionsOf(number)
  })()
  return produceChain(loadNetwork(genesisFile, undefined), dataPath, rlpFile, cliqueMaker, all)
}

/** Writes empty blocks on a genesis file into a file of RLP blocks; nothing has to be executed for them. */
export async function writeEmptyBlocks(genesisFile: string, rlpFile: string, blocks: number): Promise<MadeChain> {
  const network = loadNetwork(genesisFile, undefined)
  const dataPath = mkdtempSync(join(tmpdir(), 'quoin-bench-genesis-'))
  const { chain, close } = await openChain({ dataPath, network, keepRevertReasons: false, checkWork: false })
  const file = openSync(rlpFile, 'w')
  let parent: HashedHeader = chain.genesis
  const { stateRoot } = parent.header
  try {
    for (let number = 1; number <= blocks; number++) {
      const header = seal({ ...nextHeader(parent, chain.spec), stateRoot })
      writeSync(file, encodeBlock({ header, transactions: [], ommers: [], withdrawals: undefined }))
      parent = { header, hash: keccak256(encodeHeader(header)) }
    }
  } finally {
    closeSync(file)
    await close()
    rmSync(dataPath, { recursive: true })
  }
  return { gas: 0, transactions: 0, head: toHex(parent.hash) }
}
