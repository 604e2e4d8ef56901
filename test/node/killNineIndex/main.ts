// Makes blocks with transfers of a token and the indexes of accounts and tokens in the folder given, taking a few back now and then, until it is killed. Waits for a
// byte on standard input first, so that starting up costs the test no time.
import { blockIndexes } from '../../../src/chain/blockIndexes.ts'
import type { Address } from '../../../src/primitives/bytes.ts'
import { privateKeyToAddress } from '../../../src/primitives/secp256k1.ts'
import { bigIntToFixed } from '../../../src/primitives/u256.ts'
import { devKey, devSpec, devTx, makeBlock, openTestChain } from '../../support/testChain.ts'

const sender = privateKeyToAddress(devKey)
/** Recipients are few, so that they have rows already. */
const recipientOf = (nonce: bigint) => bigIntToFixed(0xabcdn + ((nonce * nonce) % 37n), 20) as Address

process.stdin.once('data', () => {
  const { chain, store } = openTestChain(devSpec, process.argv[2], (parts) => ({ ...parts, indexAccounts: true }))
  let steps = 0
  const write = (): void => {
    const head = chain.head().header.number
    steps++
    if (head > 6n && steps % 7 === 0) chain.setHead(head - 3n)
    if (steps % 4 === 0) for (const index of blockIndexes) store.write(index.mergeWaiting)
    const nonce = chain.read((view) => view.stateAt(view.head.header.number).account(sender)!.nonce)
    makeBlock(
      chain,
      [nonce, nonce + 1n, nonce + 2n].map((one) => devTx(one, { to: recipientOf(one) })),
    )
    process.stdout.write('.')
    setImmediate(write)
  }
  write()
})
process.stdout.write('ready')
