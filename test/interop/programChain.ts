import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createChainSpec } from '../../src/forks/chainSpec.ts'
import { toGenesisFile } from '../../src/forks/genesisFile.ts'
import { rulesOf } from '../../src/forks/rules.ts'
import { concatBytes } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { oneStep } from '../../src/primitives/steps.ts'
import { bytesToBigInt } from '../../src/primitives/u256.ts'
import { encodeBlock } from '../../src/types/block.ts'
import { senderOf, signTx } from '../../src/types/signTx.ts'
import type { Tx } from '../../src/types/transaction.ts'
import { initCode } from '../fuzz/generate/initCode.ts'
import { senders } from '../fuzz/generate/keys.ts'
import { allParts, program } from '../fuzz/generate/program.ts'
import type { Surroundings } from '../fuzz/generate/surroundings.ts'
import { createRandom, type Random } from '../fuzz/random.ts'
import { addressBytes } from '../oracle/words.ts'
import { draftBlock, openTestChain, removeFolder } from '../support/testChain.ts'

/** Forks whose blocks Besu 24.1.2 imports without a network that made them. */
type ProgramFork = 'london' | 'cancun'

interface ProgramChainFiles {
  readonly genesis: string
  readonly blocks: string
}

const contractCount = 24
const usualBlocks = 20
const chainId = 1337n

const configs = {
  london: { londonBlock: 0, ethash: { fixeddifficulty: 100 } },
  cancun: { londonBlock: 0, ethash: {}, terminalTotalDifficulty: 0, shanghaiTime: 0, cancunTime: 0 },
} satisfies Record<ProgramFork, object>

function genesisOf(random: Random, around: Surroundings, fork: ProgramFork): object {
  const people = senders.map(({ address }) => [
    toHex(addressBytes(address)),
    { balance: `0x${(10n ** 20n).toString(16)}` },
  ])
  const contracts = around.contracts.map((address) => {
    const code = toHex(program(random, around, random.between(4, 25)))
    const storage = { '0x0': '0x7', '0x1': '0x1' }
    return [toHex(addressBytes(address)), { balance: '0x64', nonce: '0x1', code, storage }]
  })
  return {
    config: { chainId: Number(chainId), ...configs[fork] },
    gasLimit: '0x5f5e100',
    difficulty: '0x1',
    baseFeePerGas: '0x7',
    timestamp: '0x1',
    alloc: Object.fromEntries([...people, ...contracts]),
  }
}

/** Creates a contract or calls one, with much gas or little. */
function transaction(random: Random, around: Surroundings, nonces: Map<Uint8Array, bigint>): Tx {
  const { privateKey } = random.pick(senders)
  const nonce = nonces.get(privateKey) ?? 0n
  nonces.set(privateKey, nonce + 1n)
  const creates = random.percent(20)
  const common = {
    ...{ nonce, chainId, accessList: [] },
    gasLimit: BigInt(random.percent(70) ? random.between(200_000, 800_000) : random.between(60_000, 150_000)),
    to: creates ? undefined : addressBytes(random.pick(around.contracts)),
    value: BigInt(random.percent(60) ? 0 : random.below(50)),
    data: creates ? initCode(random, around, allParts) : random.bytes(random.pick([0, 4, 36, 100])),
  }
  return signTx(
    random.percent(50)
      ? { type: 0, ...common, gasPrice: 1000n }
      : { type: 2, ...common, maxFee: 1000n, maxPriorityFee: BigInt(random.below(5)) },
    privateKey,
  )
}

/**
 * Makes a chain of transactions that run all sorts of code (calls of every kind, creations, reverts, halts, precompiled
 * contracts, storage, logs), the same for the same seed.
 */
export async function makeProgramChain(
  folder: string,
  fork: ProgramFork,
  seed: number,
  blockCount = usualBlocks,
): Promise<ProgramChainFiles> {
  const random = createRandom(seed)
  const anywhere = () => bytesToBigInt(random.bytes(20))
  const contracts = Array.from({ length: contractCount }, anywhere)
  const others = [anywhere(), ...senders.map(({ address }) => address)]
  const around: Surroundings = { rules: rulesOf(fork), contracts, others, nesting: 0 }
  const genesis = genesisOf(random, around, fork)
  const { chain, path, close } = openTestChain(createChainSpec(toGenesisFile(genesis)))
  const nonces = new Map<Uint8Array, bigint>()
  const blocks: Uint8Array[] = []
  try {
    for (let i = 0; i < blockCount; i++) {
      const draft = draftBlock(chain)
      const block =
        fork === 'london' ? draft : { ...draft, header: { ...draft.header, difficulty: 0n }, withdrawals: [] }
      const made = chain.produce(
        block,
        oneStep((run) => {
          const txs = Array.from({ length: random.between(1, 4) }, () => transaction(random, around, nonces))
          for (const tx of txs) run.add(tx, senderOf(tx))
          return txs
        }),
      )
      blocks.push(encodeBlock(made!.block))
    }
  } finally {
    await close()
    removeFolder(path)
  }
  const files = { genesis: join(folder, `programs-${fork}.json`), blocks: join(folder, `programs-${fork}.rlp`) }
  writeFileSync(files.genesis, JSON.stringify(genesis))
  writeFileSync(files.blocks, concatBytes(...blocks))
  return files
}
