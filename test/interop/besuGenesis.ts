import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ibft2Codec } from '../../src/consensus/ibft2/ibft2Codec.ts'
import { qbftCodec } from '../../src/consensus/qbft/qbftCodec.ts'
import { devAccounts, forksFromGenesis } from '../../src/forks/devGenesis.ts'
import { systemAccountKeys, systemAccounts } from '../../src/forks/systemAccounts.ts'
import { fromHex, hexToAddress, toHex } from '../../src/primitives/hex.ts'
import { encodeTx } from '../../src/types/encodeTx.ts'
import { signTx } from '../../src/types/signTx.ts'
import { bftGenesis } from '../support/authorityChain.ts'
import { createBesuProcess } from './besuProcess.ts'
import type { Interop, InteropTerms } from './interop.ts'
import type { NodeProcess } from './nodeProcess.ts'
import { whyNoVersion } from './peerProgram.ts'
import { createQuoinProcess } from './quoinProcess.ts'
import { eventually, reach, sameBlocks } from './rpcNode.ts'
import { createSeat, type Seat } from './seat.ts'

/** The Besu of today, or the one that the environment names. */
const version = process.env.BESU_PEER_VERSION ?? '26.8.0'

/** Blocks of each chain. */
const height = 24
const gasLimit = 30_000_000
/** Seconds until forks by time begin: by then a node has started, and made some blocks. */
const notice = 45

const someone = `0x${'be'.repeat(20)}`
const contract = `0x${'c0'.repeat(20)}`

/** Stores what a block shows: blob base fee, base fee, coinbase, time, randomness, gas limit, chain id. */
const code = `0x${['4a', '48', '41', '42', '44', '45', '46'].map((op, slot) => `${op}600${slot}55`).join('')}00`

/** A genesis file whose keys change blocks. */
interface Case {
  readonly name: string
  readonly kind: 'qbft' | 'ibft2'
  /** The section of the consensus. */
  readonly terms: object
  /** What else is in \`config\`; `soon` is a time that the chain passes. */
  config(soon: number): object
  readonly alloc: object
  /** Gas limits of transactions that both take, and of one that both refuse. */
  readonly gas: readonly number[]
  readonly refused: number
  readonly minGasPrice?: number
}

const cases: readonly Case[] = [
  {
    name: 'London to Cancun, without base fee, contracts there and not named, transitions by block, gas per transaction',
    kind: 'qbft',
    terms: { pertxgaslimit: 500_000 },
    config: (soon) => ({
      londonBlock: 0,
      zeroBaseFee: true,
      shanghaiTime: soon,
      cancunTime: soon + 5,
      transitions: {
        qbft: [
          { block: 3, blockreward: '5' },
          { block: 100_000, blockreward: '0x7', miningbeneficiary: someone, pertxgaslimit: 400_000 },
        ],
      },
    }),
    alloc: systemAccounts('prague'),
    gas: [400_000],
    refused: 500_001,
  },
  {
    name: 'Osaka, contracts named, transitions behind a fork by time, more gas per transaction',
    kind: 'qbft',
    terms: { pertxgaslimit: 25_000_000, xblockperiodmilliseconds: 600 },
    config: (soon) => ({
      ...forksFromGenesis('osaka'),
      ...systemAccountKeys('osaka'),
      transitions: {
        qbft: [
          { block: 4, blockreward: '5' },
          { block: soon, blockreward: '6', miningbeneficiary: `0x${'00'.repeat(20)}` },
        ],
      },
    }),
    alloc: systemAccounts('osaka'),
    gas: [400_000, 20_000_000],
    refused: 25_000_001,
  },
  {
    name: 'Osaka, contracts not named, changes of the blob schedule, transitions of IBFT 2.0',
    kind: 'ibft2',
    terms: { miningbeneficiary: someone },
    config: (soon) => ({
      ...forksFromGenesis('osaka'),
      bpo1Time: soon,
      bpo2Time: soon + 5,
      blobSchedule: {
        prague: { target: 1, max: 2, baseFeeUpdateFraction: 100 },
        osaka: { target: 5, max: 6, baseFeeUpdateFraction: 200 },
        bpo2: { target: 2, max: 3, baseFeeUpdateFraction: 300 },
      },
      transitions: { ibft2: [{ block: soon + 5, blockreward: '9', xblockperiodmilliseconds: 300 }] },
    }),
    alloc: {},
    gas: [400_000, 16_777_216],
    refused: 16_777_217,
  },
  {
    name: 'London to Cancun, fixed base fee, change of who gets the rewards',
    kind: 'qbft',
    terms: { blockreward: '5', pertxgaslimit: 0 },
    config: (soon) => ({
      londonBlock: 0,
      fixedBaseFee: true,
      shanghaiTime: soon,
      cancunTime: soon + 10,
      transitions: { qbft: [{ block: 6, miningbeneficiary: someone }] },
    }),
    alloc: {},
    gas: [400_000, 20_000_000],
    refused: gasLimit + 1,
    minGasPrice: 1000,
  },
]

/** A call of the contract, with all the gas that it may have. */
function callWith(gas: number, nonce: number): string {
  const body = { to: hexToAddress(contract), value: 1n, data: new Uint8Array(0), gasPrice: 10n ** 10n }
  const tx = { type: 0 as const, chainId: 1337n, nonce: BigInt(nonce), gasLimit: BigInt(gas), ...body }
  return toHex(encodeTx(signTx(tx, fromHex(devAccounts[0].privateKey))))
}

function genesisOf({ kind, terms, config, alloc }: Case, validator: Seat): object {
  const codec = kind === 'qbft' ? qbftCodec : ibft2Codec
  const authority = { key: fromHex(validator.key), address: hexToAddress(validator.address) }
  const soon = Math.floor(Date.now() / 1000) + notice
  const section = { blockperiodseconds: 2, requesttimeoutseconds: 10, ...terms }
  const funded = Object.fromEntries(devAccounts.map(({ address }) => [address, { balance: '0xd3c21bcecceda1000000' }]))
  return {
    ...bftGenesis(codec, [authority], { chainId: 1337, ...config(soon), [kind]: section }),
    gasLimit: `0x${gasLimit.toString(16)}`,
    alloc: { ...alloc, ...funded, [contract]: { balance: '0x0', code } },
  }
}

/** One node makes the blocks, the other one follows; calls go to both ends. */
async function run(one: Case, maker: 'besu' | 'quoin', terms: InteropTerms, number: number): Promise<void> {
  const { checks, peersDir, folder, basePort } = terms
  const own = join(folder, `${maker}-${number}`)
  mkdirSync(own)
  const seats = ['validator', 'follower'].map((name, i) => createSeat(own, name, basePort + 20 * number, i))
  for (const seat of seats)
    writeFileSync(join(seat.folder, 'static-nodes.json'), JSON.stringify(seats.map(({ enode }) => enode)))
  const [validator, follower] = seats as [Seat, Seat]
  const genesisFile = join(own, 'genesis.json')
  writeFileSync(genesisFile, JSON.stringify(genesisOf(one, validator)))
  const { minGasPrice = 0 } = one
  const besu = (seat: Seat) =>
    createBesuProcess({ seat, peersDir, genesisFile, version, apis: 'ADMIN,ETH,NET,WEB3', minGasPrice })
  const quoin = (seat: Seat) => createQuoinProcess({ ...seat, genesisFile, minGasPrice })
  const nodes: readonly NodeProcess[] =
    maker === 'besu' ? [besu(validator), quoin(follower)] : [quoin(validator), besu(follower)]
  try {
    for (const node of nodes) node.start()
    await reach(nodes, 1)
    let nonce = 0
    for (const gas of one.gas)
      for (const node of nodes) {
        const raw = callWith(gas, nonce++)
        // Besu takes none before it has synchronised.
        await eventually(`${node.name} takes a call`, () => node.call('eth_sendRawTransaction', raw))
      }
    const refusals = await Promise.all(
      nodes.map((node) =>
        node.call('eth_sendRawTransaction', callWith(one.refused, nonce)).then(
          () => 'taken',
          () => 'refused',
        ),
      ),
    )
    checks.equal(`a transaction with ${one.refused} gas`, refusals, ['refused', 'refused'])
    await reach(nodes, height)
    // One more, under all the rules that have begun meanwhile.
    const raw = callWith(one.gas[0]!, nonce++)
    const hash = await nodes[0]!.call<string>('eth_sendRawTransaction', raw)
    await eventually('the last call is in a block', () => nodes[1]!.call('eth_getTransactionReceipt', hash))
    await sameBlocks(checks, nodes, 0, height)
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
  }
}

/** Chains whose genesis files have the keys that change blocks, made by Besu and checked by Quoin, and the other way round. */
export const besuGenesis: Interop = {
  name: 'besu-genesis',
  doc: 'chains with each key of genesis files that changes blocks: Quoin follows Besu 26.8.0, Besu follows Quoin.',
  needs: ['besu'],
  whyNot: async ({ peersDir }) => whyNoVersion(version, peersDir),
  run: async (terms) => {
    let number = 0
    for (const one of cases)
      for (const maker of ['besu', 'quoin'] as const)
        await terms.checks.step(`${one.name}: made by ${maker}`, () => run(one, maker, terms, number++))
  },
}
