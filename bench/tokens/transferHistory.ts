import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, concatBytes } from '../../src/primitives/bytes.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { packageRoot } from '../../src/primitives/packageRoot.ts'
import { bigIntToFixed, toWord } from '../../src/primitives/u256.ts'
import { emptyFolder } from '../emptyFolder.ts'
import { cliqueGenesis, makeCliqueChain } from '../sync/cliqueChain.ts'
import { signTurn } from '../sync/signedTurns.ts'
import { emitter, transfersPerCall } from './emitter.ts'

export const token = bigIntToFixed(0x70ce2n, 20) as Address
/** Two transfers of all go to it, one at the beginning and one in the middle. */
export const rareHolder = 2

/** A chain of transfers of one token, as files. */
export interface TransferHistory {
  readonly genesis: string
  readonly chain: string
  readonly blocks: number
}

/** Blocks with a call each, made on first use and kept with the system's temporary files. */
export async function prepareHistory(transfers: number): Promise<TransferHistory> {
  const blocks = Math.ceil(transfers / transfersPerCall)
  const folder = join(tmpdir(), 'quoin-bench', `tokens-${blocks}-${versionOfMaker()}`)
  if (!existsSync(folder)) {
    process.stderr.write(`Making ${transfers} transfers in ${blocks} blocks in ${folder} …\n`)
    const fresh = emptyFolder(`${folder}-making`)
    await make(fresh, blocks)
    renameSync(fresh, folder)
  }
  return { genesis: join(folder, 'genesis.json'), chain: join(folder, 'chain.rlp'), blocks }
}

async function make(folder: string, blocks: number): Promise<void> {
  const genesis = join(folder, 'genesis.json')
  writeFileSync(genesis, cliqueGenesis({ [toHex(token)]: { balance: '0x0', code: toHex(emitter) } }))
  const data = join(folder, 'quoin')
  mkdirSync(data)
  await makeCliqueChain(genesis, data, join(folder, 'chain.rlp'), blocks, (number) => {
    const isRare = number === 1 || number === Math.ceil(blocks / 2)
    const words = [toWord(BigInt(number * transfersPerCall)), ...(isRare ? [toWord(BigInt(rareHolder))] : [])]
    return [signTurn(number, () => ({ gasLimit: 2_000_000n, to: token, value: 0n, data: concatBytes(...words) }))]
  })
}

/** Changes when what makes the chain does. */
function versionOfMaker(): string {
  const sources = ['sync/cliqueChain.ts', 'sync/produceChain.ts', 'sync/signedTurns.ts']
  const own = ['tokens/emitter.ts', 'tokens/transferHistory.ts']
  const texts = [...sources, ...own].map((path) => readFileSync(join(packageRoot, 'bench', path)))
  return toHex(keccak256(Buffer.concat(texts))).slice(2, 10)
}
