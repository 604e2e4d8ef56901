import { describe, expect, test } from 'vitest'
import {
  type Authority,
  authorities,
  bftBlock,
  bftGenesis,
  cliqueGenesis,
  openAuthorityChain,
} from '../../test/support/authorityChain.ts'
import { closedAfterEach } from '../../test/support/closedAfterEach.ts'
import { openNetwork as open, networkStart as start } from '../../test/support/localValidators.ts'
import { systemAccountKeys, systemAccounts } from '../forks/systemAccounts.ts'
import { publicSystemContracts } from '../forks/systemContracts.ts'
import { type Address, zeroHash } from '../primitives/bytes.ts'
import { hexToAddress, toHex } from '../primitives/hex.ts'
import { emptyTrieRoot } from '../types/account.ts'
import { ibft2Codec } from './ibft2/ibft2Codec.ts'
import { qbftCodec } from './qbft/qbftCodec.ts'

const openNetwork = closedAfterEach(open)
const openChain = closedAfterEach(openAuthorityChain)
const [validator] = authorities(1) as [Authority]
const noRequests = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const terms = { blockperiodseconds: 1, requesttimeoutseconds: 4 }
const zero = `0x${'00'.repeat(20)}`

const qbft = (config: object, alloc: object = {}) =>
  bftGenesis(qbftCodec, [validator], { chainId: 1, londonBlock: 0, qbft: terms, ...config }, alloc)

/** A chain of a few blocks of one validator. */
function grow(genesis: object, height = 3) {
  const { node, reach } = openNetwork(genesis, [validator])
  reach(height)
  return node
}

const balanceOf = (node: ReturnType<typeof grow>, address: string) =>
  node.chain.read((view) => view.stateAt(view.head.header.number)!.account(hexToAddress(address.slice(2)))?.balance)

describe('Prague', () => {
  const prague = { shanghaiTime: 0, cancunTime: 0, pragueTime: 0 }

  test('a network without system contracts goes on, and asks for nothing', () => {
    const { header } = grow(qbft(prague)).head()
    expect(toHex(header.requestsHash!)).toBe(noRequests)
  })

  test('a network that names contracts that are not there does not', () => {
    const address = `0x${'77'.repeat(20)}`
    const named = {
      depositContractAddress: address,
      withdrawalRequestContractAddress: address,
      consolidationRequestContractAddress: address,
    }
    expect(() => grow(qbft({ ...prague, ...named }))).toThrow()
  })

  test('a network that names them asks them', () => {
    const { header } = grow(qbft({ ...prague, ...systemAccountKeys('prague') }, systemAccounts('prague'))).head()
    expect(toHex(header.requestsHash!)).toBe(noRequests)
    // The contract of EIP-2935 has written.
    const root = (config: object) =>
      toHex(grow(qbft({ ...prague, ...config }, systemAccounts('prague'))).head().header.stateRoot)
    expect(root({})).not.toBe(toHex(header.stateRoot))
    expect(root({ quoin: { systemCalls: true } })).toBe(toHex(header.stateRoot))
  })
})

describe('a London network that goes on to Prague and Osaka', () => {
  const seconds = BigInt(start / 1000)
  const forks = { shanghaiTime: Number(seconds) + 4, cancunTime: Number(seconds) + 4, pragueTime: Number(seconds) + 8 }
  const four = authorities(4)
  const genesisOf = (config: object) =>
    bftGenesis(qbftCodec, four, {
      ...{ chainId: 1, londonBlock: 0, qbft: terms, ...forks, osakaTime: Number(seconds) + 12 },
      ...config,
    })

  /** Grows a chain over all forks, and has a new node follow it. */
  function cross(config: object) {
    const genesis = genesisOf(config)
    const { node, nodes, reach } = openNetwork(genesis, four)
    reach(16)
    const follower = openChain(genesis)
    for (let number = 1n; number <= 16n; number++) {
      const block = node.chain.read((view) => view.blockBy(view.hashAt(number)!)!.block)
      expect(follower.verdict(block)).toBe('extended')
    }
    const roots = new Set(
      nodes.map(({ chain }) => chain.read((view) => toHex(view.headerBy(view.hashAt(16n)!)!.header.stateRoot))),
    )
    expect(roots).toEqual(new Set([toHex(follower.head().header.stateRoot)]))
    expect(node.chain.spec.rulesAt(node.head().header).fork).toBe('osaka')
    const codeOf = (address: Address, number: bigint) =>
      node.chain.read((view) => view.stateAt(number).account(address)?.codeHash)
    return {
      codeOf,
      header: node.head().header,
      times: [...Array(17).keys()].map((n) =>
        node.chain.read((view) => view.headerBy(view.hashAt(BigInt(n))!)!.header),
      ),
    }
  }

  test('has the contracts from the block on that calls them first, if the file says so', () => {
    const { codeOf, header, times } = cross({ quoin: { placeSystemContracts: true } })
    expect(toHex(header.requestsHash!)).toBe(noRequests)
    const firstAt = (time: number) => times.find(({ timestamp }) => timestamp >= BigInt(time))!.number
    const prague = firstAt(forks.pragueTime)
    for (const contract of Object.values(publicSystemContracts))
      expect([codeOf(contract, prague - 1n), codeOf(contract, prague)]).toEqual([undefined, expect.anything()])
  })

  test('goes on without them otherwise', () => {
    const { codeOf } = cross({})
    expect(codeOf(publicSystemContracts.withdrawalRequests, 16n)).toBeUndefined()
  })
})

test('a chain whose blocks call contracts is not gone on with by a file that does not say so', async () => {
  const forks = { shanghaiTime: 0, cancunTime: 0, pragueTime: 0 }
  const fileOf = (config: object) => qbft({ ...forks, ...config }, systemAccounts('prague'))
  const network = openNetwork(fileOf({ quoin: { systemCalls: true } }), [validator])
  network.reach(3)
  await network.restart(0)
  await expect(network.restart(0, fileOf({}))).rejects.toThrow('add "quoin": {"systemCalls": true}')
  // It is closed already.
  network.nodes.pop()
})

test('half of the validators with a new file, half without: all wait at the fork, and go on when all have it', async () => {
  const four = authorities(4)
  const terms = { blockperiodseconds: 1, requesttimeoutseconds: 2 }
  const old = bftGenesis(qbftCodec, four, { chainId: 1, londonBlock: 0, qbft: terms })
  const pragueTime = start / 1000 + 30
  const forks = { shanghaiTime: pragueTime, cancunTime: pragueTime, pragueTime }
  const upgraded = bftGenesis(qbftCodec, four, { chainId: 1, londonBlock: 0, qbft: terms, ...forks })
  const network = openNetwork(old, four)
  const { nodes, clock } = network
  const heads = () => nodes.map(({ head }) => head().header)
  network.reach(3)
  for (const index of [0, 1]) await network.restart(index, upgraded)
  network.reach(6)
  clock.run(120_000)
  const stopped = Math.max(...heads().map(({ number }) => Number(number)))
  for (const { timestamp } of heads()) expect(Number(timestamp)).toBeLessThan(pragueTime)
  clock.run(60_000)
  expect(Math.max(...heads().map(({ number }) => Number(number)))).toBe(stopped)
  for (const index of [2, 3]) await network.restart(index, upgraded)
  network.reach(stopped + 5)
  expect(heads().every(({ requestsHash }) => requestsHash !== undefined)).toBe(true)
})

test('the proposer of a network with a fixed base fee writes its minimum gas price', () => {
  expect(grow(qbft({ fixedBaseFee: true })).head().header.baseFee).toBe(0n)
  expect(grow(qbft({})).head().header.baseFee).toBeGreaterThan(0n)
})

test('rewards and fees go to the zero address where the file says so', () => {
  const node = grow(qbft({ qbft: { ...terms, blockreward: '5', miningbeneficiary: zero } }))
  expect(balanceOf(node, zero)).toBe(15n)
})

test('a reward by time is paid from the first block on that has the time', () => {
  const rewards = { shanghaiTime: 0, transitions: { qbft: [{ block: 3, blockreward: '5' }] } }
  const miner = toHex(validator.address)
  expect(balanceOf(grow(qbft(rewards)), miner)).toBe(15n)
  expect(balanceOf(grow(qbft({ ...rewards, quoin: { transitionsByTime: false } })), miner)).toBe(5n)
})

test('a Clique network changes its period at a block', () => {
  const transitions = { clique: [{ block: 3, blockperiodseconds: 1 }] }
  const node = grow(cliqueGenesis([validator], { blockperiodseconds: 5 }, { chainId: 1, transitions }), 4)
  const times = node.chain.read((view) =>
    [1n, 2n, 3n, 4n].map((number) => view.headerBy(view.hashAt(number)!)!.header.timestamp),
  )
  expect(times.slice(1).map((time, i) => time - times[i]!)).toEqual([5n, 1n, 1n])
})

describe.each([
  ['ibft2', ibft2Codec],
  ['qbft', qbftCodec],
] as const)('%s', (kind, codec) => {
  const plan = { codec, proposer: validator, validators: [validator] }
  const openWith = (more: object) => openChain(bftGenesis(codec, [validator], { [kind]: terms, ...more }))

  test('blocks of Shanghai without withdrawals, as Besu made them, are taken', () => {
    const chain = openWith({ shanghaiTime: 0 })
    expect(chain.verdict(bftBlock(chain.head(), plan))).toBe('extended')
    const header = { withdrawalsRoot: emptyTrieRoot }
    expect(chain.verdict({ ...bftBlock(chain.head(), { ...plan, header }), withdrawals: [] })).toBe('extended')
    const withdrawal = { index: 0n, validatorIndex: 0n, address: validator.address, amount: 1n }
    const greedy = { ...bftBlock(chain.head(), plan), withdrawals: [withdrawal] }
    expect(chain.verdict(greedy)).toBe('WITHDRAWALS_ROOT_MISMATCH')
    expect(chain.verdict(bftBlock(chain.head(), { ...plan, header }))).toBe('WITHDRAWALS_MISSING')
    expect(chain.head().header.number).toBe(2n)
  })

  test('headers of Cancun that end early, as those of Besu up to 25.12, are taken, and those of Prague are not', () => {
    const cancun = { shanghaiTime: 0, cancunTime: 0 }
    const chain = openWith(cancun)
    const verdictOn = (header: object, on = chain) =>
      on.verdict({ ...bftBlock(on.head(), { ...plan, header }), withdrawals: [] })
    expect(chain.verdict(bftBlock(chain.head(), plan))).toBe('extended')
    const withdrawalsRoot = emptyTrieRoot
    expect(verdictOn({ withdrawalsRoot })).toBe('extended')
    const blobs = { withdrawalsRoot, blobGasUsed: 0n, excessBlobGas: 0n }
    expect(verdictOn(blobs)).toBe('extended')
    expect(verdictOn({ ...blobs, parentBeaconRoot: zeroHash })).toBe('extended')
    expect(verdictOn({ ...blobs, blobGasUsed: 131_072n })).toBe('BLOB_GAS_USED_MISMATCH')
    expect(verdictOn({ ...blobs, excessBlobGas: 1n })).toBe('EXCESS_BLOB_GAS_MISMATCH')
    const prague = openWith({ ...cancun, pragueTime: 0 })
    for (const header of [{}, { withdrawalsRoot }, blobs, { ...blobs, parentBeaconRoot: zeroHash }])
      expect(verdictOn(header, prague)).toBe('FIELD_MISSING')
  })

  test('blocks of one second follow each other where the period is in milliseconds', () => {
    const sameTime = (chain: ReturnType<typeof openWith>) =>
      bftBlock(chain.head(), { ...plan, header: { timestamp: chain.head().header.timestamp } })
    const fast = openWith({ [kind]: { ...terms, xblockperiodmilliseconds: 300 } })
    expect(fast.verdict(sameTime(fast))).toBe('extended')
    const slow = openWith({})
    expect(slow.verdict(sameTime(slow))).toBe('BLOCK_PERIOD_NOT_OVER')
  })
})
