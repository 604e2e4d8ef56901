import { closeSync, openSync, writeSync } from 'node:fs'
import { bftGenesisExtraData } from '../../src/consensus/bft/extraData.ts'
import { cliqueGenesisExtraData } from '../../src/consensus/clique/extraData.ts'
import { qbftCodec } from '../../src/consensus/qbft/qbftCodec.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { bigIntToFixed } from '../../src/primitives/u256.ts'
import { bftMixHash } from '../../src/types/header.ts'
import { tokenRuntime } from '../rpc/token.ts'
import { benchChainId } from '../signedTransfers.ts'
import { chainStart, signer, users } from '../sync/cliqueChain.ts'
import { richAddress, token } from './contentBlocks.ts'
import { accountAddress, tokenSlot, tokensOf, weiOf } from './manyAccounts.ts'

/** Anvil makes blocks as it likes: its genesis file names no consensus. */
export type GenesisKind = 'qbft' | 'clique' | 'anvil'

const zeroHash = `0x${'0'.repeat(64)}`

const engines = {
  qbft: {
    config: { zeroBaseFee: true, qbft: { blockperiodseconds: 1, epochlength: 30_000, requesttimeoutseconds: 2 } },
    extraData: toHex(bftGenesisExtraData(qbftCodec, [signer.address])),
    // Besu 24.1 takes a billion where nothing is said, as if its base fee were not zero.
    baseFeePerGas: '0x0',
    mixHash: toHex(bftMixHash),
  },
  clique: {
    config: { clique: { blockperiodseconds: 1, epochlength: 30_000, period: 1, epoch: 30_000 } },
    extraData: toHex(cliqueGenesisExtraData([signer.address])),
    mixHash: zeroHash,
  },
  anvil: { config: {}, extraData: '0x', mixHash: zeroHash },
} satisfies Record<GenesisKind, object>

const forks = [
  'homestead',
  'eip150',
  'eip155',
  'eip158',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'berlin',
  'london',
]

const wealth = '0xd3c21bcecceda1000000'
const wordOf = (n: bigint): string => toHex(bigIntToFixed(n, 32))

/** Slots of the token: what its users have, and each of the many accounts. */
function* storage(accounts: number): Generator<string> {
  for (const { address } of users) yield `"${tokenSlot(address)}":"${wordOf(10n ** 18n)}"`
  for (let i = 0; i < accounts; i++) yield `"${tokenSlot(accountAddress(i))}":"${wordOf(tokensOf(i))}"`
}

function* allocation(accounts: number): Generator<string> {
  yield `"${toHex(token)}":{"balance":"0x0","code":"${toHex(tokenRuntime)}","storage":{`
  yield* withCommas(storage(accounts))
  yield '}}'
  for (const address of [richAddress, ...users.map((user) => user.address)])
    yield `,"${toHex(address)}":{"balance":"${wealth}"}`
  for (let i = 0; i < accounts; i++) yield `,"${toHex(accountAddress(i))}":{"balance":"0x${weiOf(i).toString(16)}"}`
}

function* withCommas(parts: Iterable<string>): Generator<string> {
  let isFirst = true
  for (const part of parts) {
    yield isFirst ? part : `,${part}`
    isFirst = false
  }
}

/** Characters that are written at once. */
const writeSize = 1 << 20

/** Writes a genesis file with the token, its users and so many accounts. It is written in pieces: with a million it has 300 MB. */
export function writeGenesis(file: string, kind: GenesisKind, accounts: number): void {
  const { config, ...members } = engines[kind]
  const head = JSON.stringify({
    config: {
      chainId: Number(benchChainId),
      ...Object.fromEntries(forks.map((fork) => [`${fork}Block`, 0])),
      ...config,
    },
    nonce: '0x0',
    timestamp: `0x${chainStart.toString(16)}`,
    gasLimit: '0x1fffffffffffff',
    difficulty: '0x1',
    coinbase: `0x${'0'.repeat(40)}`,
    ...members,
  })
  const out = openSync(file, 'w')
  let text = `${head.slice(0, -1)},"alloc":{`
  for (const part of allocation(accounts)) {
    text += part
    if (text.length < writeSize) continue
    writeSync(out, text)
    text = ''
  }
  writeSync(out, `${text}}}\n`)
  closeSync(out)
}
