import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { HashedHeader } from '../../src/chain/view.ts'
import { cliqueGenesisExtraData, unsealedExtraData } from '../../src/consensus/clique/extraData.ts'
import { sealCliqueHeader } from '../../src/consensus/clique/sealHeader.ts'
import { draftHeader } from '../../src/consensus/producing/draftHeader.ts'
import { createValidatorKey } from '../../src/consensus/validatorKey.ts'
import { loadNetwork } from '../../src/node/network.ts'
import { openChain } from '../../src/node/openChain.ts'
import { type Address, zeroAddress } from '../../src/primitives/bytes.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { encodeBlock } from '../../src/types/block.ts'
import { rememberSender, signTx } from '../../src/types/signTx.ts'
import { noAccessList, type Tx } from '../../src/types/transaction.ts'
import { tokenRuntime } from '../rpc/token.ts'
import { benchChainId } from '../signedTransfers.ts'
import { inputOf, mappingSlot } from '../workloads/contracts.ts'

/** What was made. */
export interface TransferChain {
  readonly gas: number
  readonly transactions: number
  /** Hash of the last block, in hex. */
  readonly head: string
}

/** Transactions of a block in the first half of the chain and in the second. */
const [few, many] = [10, 100]
/** Blocks a second apart from here on, so that all of them lie in the past. */
const start = 1_700_000_000
/** Every so many transfers go to someone new. */
const newcomers = 10

const token = bigIntToFixed(0x70cen, 20) as Address
const signer = createValidatorKey(bigIntToFixed(0xc119n, 32))
const users = Array.from({ length: 1000 }, (_, i) => {
  const key = bigIntToFixed(BigInt(i + 1), 32)
  return { key, address: privateKeyToAddress(key) }
})

/** A network of one signer. Clique, because geth seals and syncs it too. */
function genesis(): object {
  const forks = ['homestead', 'eip150', 'eip155', 'eip158', 'byzantium', 'constantinople', 'petersburg', 'istanbul']
  const blocks = [...forks, 'berlin', 'london'].map((fork) => [`${fork}Block`, 0])
  const storage = users.map(({ address }) => [mappingSlot(toHex(address), 0), toHex(bigIntToFixed(10n ** 18n, 32))])
  return {
    config: {
      chainId: Number(benchChainId),
      ...Object.fromEntries(blocks),
      clique: { blockperiodseconds: 1, epochlength: 30_000, period: 1, epoch: 30_000 },
    },
    nonce: '0x0',
    timestamp: `0x${start.toString(16)}`,
    gasLimit: '0x1c9c380',
    difficulty: '0x1',
    extraData: toHex(cliqueGenesisExtraData([signer.address])),
    alloc: {
      ...Object.fromEntries(users.map(({ address }) => [toHex(address), { balance: '0xd3c21bcecceda1000000' }])),
      [toHex(token)]: { balance: '0x0', code: toHex(tokenRuntime), storage: Object.fromEntries(storage) },
    },
  }
}

/** The transfer of that number: users take turns as senders. */
function transfer(index: number): Tx {
  const { key, address } = users[index % users.length]!
  const isNew = index % newcomers === 0
  const to = isNew ? 0x1_0000_0000 + index : toHex(users[(index * 7919 + 1) % users.length]!.address)
  const tx = signTx(
    {
      type: 2,
      chainId: benchChainId,
      nonce: BigInt(Math.floor(index / users.length)),
      maxFee: 2_000_000_000n,
      maxPriorityFee: 1n,
      gasLimit: 100_000n,
      to: token,
      value: 0n,
      data: fromHex(inputOf('transfer(address,uint256)', to, 1)),
      accessList: noAccessList,
    },
    key,
  )
  rememberSender(tx, address)
  return tx
}

/** Makes the chain in a new folder: `genesis.json`, `chain.rlp` and a data directory of Quoin, `quoin`. */
export async function makeTransferChain(folder: string, blocks: number): Promise<TransferChain> {
  const genesisFile = join(folder, 'genesis.json')
  writeFileSync(genesisFile, JSON.stringify(genesis()))
  const dataPath = join(folder, 'quoin')
  mkdirSync(dataPath)
  const network = loadNetwork(genesisFile, undefined)
  const { chain, close } = await openChain({ dataPath, network, keepRevertReasons: false, checkWork: false })
  const file = openSync(join(folder, 'chain.rlp'), 'w')
  let parent: HashedHeader = chain.genesis
  let [gas, transactions] = [0, 0]
  try {
    for (let number = 1; number <= blocks; number++) {
      const plan = {
        timestamp: BigInt(start + number),
        beneficiary: zeroAddress,
        extraData: unsealedExtraData(new Uint8Array(32), []),
        difficulty: 2n,
        targetGasLimit: undefined,
      }
      const header = draftHeader(parent, plan, chain.spec)
      const count = number <= blocks / 2 ? few : many
      const chosen = Array.from({ length: count }, (_, i) => transfer(transactions + i))
      const made = chain.produce(
        { header, transactions: [], ommers: [], withdrawals: undefined },
        (run) => {
          for (const [i, tx] of chosen.entries()) run.add(tx, users[(transactions + i) % users.length]!.address)
          return chosen
        },
        { beneficiary: signer.address, seal: (unsealed) => sealCliqueHeader(unsealed, signer.sign) },
      )!
      writeSync(file, encodeBlock(made.block))
      parent = made
      transactions += count
      gas += Number(made.header.gasUsed)
    }
  } finally {
    closeSync(file)
    await close()
  }
  return { gas, transactions, head: toHex(parent.hash) }
}
