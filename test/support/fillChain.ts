import type { Chain } from '../../src/chain/chain.ts'
import type { Network } from '../../src/chainData/network.ts'
import type { Address } from '../../src/primitives/bytes.ts'
import { concatBytes } from '../../src/primitives/bytes.ts'
import { fromHex } from '../../src/primitives/hex.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { encodeRlp, scalar } from '../../src/primitives/rlp.ts'
import { privateKeyToAddress } from '../../src/primitives/secp256k1.ts'
import { oneStep } from '../../src/primitives/steps.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import type { Tx } from '../../src/types/transaction.ts'
import { devKey, devSpec, devTx, draftBlock, makeBlock } from './testChain.ts'

/** The network of the chains of these tests. */
export const devNetwork: Network = { name: 'dev', spec: devSpec, networkId: 2018n, isDev: true, funded: [] }

/** Init code of a contract that stores the second word of its call data under the first and logs it. */
const keeper = fromHex('601080600b6000396000f3' + '6020356000355560003560006000a100')
/** Init code of a contract that has two slots from the start and removes itself when it is called. */
const passing = fromHex('60016001556002600255' + '60028060156000396000f3' + '33ff')
/** Init code of a contract that reverts with a word. */
const refusing = fromHex('600a80600b6000396000f3' + '602a60005260206000fd')

const word = (n: number) => bigIntToFixed(BigInt(n), 32)

function created(nonce: number): Address {
  return keccak256(encodeRlp([privateKeyToAddress(devKey), scalar(BigInt(nonce))])).slice(12) as Uint8Array as Address
}

/**
 * Fills a chain with what a database has rows for: new accounts, slots that change often, slots that vanish, logs, contracts that
 * remove themselves, reverts, large transactions, and a block that is not canonical. Blocks of another network are put there by `make`.
 */
export function fillChain(chain: Chain, blocks: number, make?: (txs: readonly Tx[]) => void): void {
  const put = make ?? ((txs) => makeBlock(chain, txs))
  let nonce = 0
  const next = (fields: Parameters<typeof devTx>[1]) => devTx(BigInt(nonce++), fields)
  put([next({ data: keeper }), next({ data: refusing }), next({ data: passing })])
  const [keeping, refuser, passer] = [created(0), created(1), created(2)]
  for (let i = 1; i < blocks; i++) {
    const txs = [
      next({ to: keeping, data: concatBytes(word(1), word(i)) }),
      next({ to: keeping, data: concatBytes(word(i), word(i % 3)) }),
      next({ to: word(i).slice(12) as Address, value: BigInt(i) }),
    ]
    if (i % 7 === 0) txs.push(next({ to: refuser }))
    if (i === 9) txs.push(next({ to: passer }))
    if (i % 40 === 0) txs.push(next({ to: refuser, data: new Uint8Array(9000).fill(i) }))
    if (i === 20 && !make) leaveBeside(chain)
    put(txs)
  }
}

/** Makes a block and goes back to the one before: it stays in the database beside the next one. */
function leaveBeside(chain: Chain): void {
  const made = chain.produce(
    draftBlock(chain, { extraData: Uint8Array.of(1) }),
    oneStep(() => []),
  )
  chain.setHead(made!.header.number - 1n)
}
