import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Address } from '../../src/primitives/bytes.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { tokenRuntime } from '../rpc/token.ts'
import { inputOf, mappingSlot } from '../workloads/contracts.ts'
import { cliqueGenesis, makeCliqueChain, users } from './cliqueChain.ts'
import type { MadeChain } from './produceChain.ts'
import { signTurn, type TransferTo } from './signedTurns.ts'

/** Transactions of a block in the first half of the chain and in the second. */
const [few, many] = [10, 100]

const token = bigIntToFixed(0x70cen, 20) as Address

function genesis(): string {
  const storage = users.map(({ address }) => [mappingSlot(toHex(address), 0), toHex(bigIntToFixed(10n ** 18n, 32))])
  return cliqueGenesis({
    [toHex(token)]: { balance: '0x0', code: toHex(tokenRuntime), storage: Object.fromEntries(storage) },
  })
}

const tokensTo: TransferTo = (receiver) => ({
  gasLimit: 100_000n,
  to: token,
  value: 0n,
  data: fromHex(inputOf('transfer(address,uint256)', toHex(receiver), 1)),
})

/** Makes the chain in a new folder: `genesis.json`, `chain.rlp` and a data directory of Quoin, `quoin`. */
export async function makeTransferChain(folder: string, blocks: number): Promise<MadeChain> {
  const genesisFile = join(folder, 'genesis.json')
  writeFileSync(genesisFile, genesis())
  const dataPath = join(folder, 'quoin')
  mkdirSync(dataPath)
  let next = 0
  return makeCliqueChain(genesisFile, dataPath, join(folder, 'chain.rlp'), blocks, (number) =>
    Array.from({ length: number <= blocks / 2 ? few : many }, () => signTurn(next++, tokensTo)),
  )
}
