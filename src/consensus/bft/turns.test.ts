import { describe, expect, test } from 'vitest'
import { type Authority, authorities } from '../../../test/support/authorityChain.ts'
import {
  type BftNetwork,
  blockFor,
  cheapCryptoOf,
  createBftNetwork,
  type NetworkOptions,
} from '../../../test/support/machineNetwork.ts'
import { equalBytes, zeroHash } from '../../primitives/bytes.ts'
import { encodeRlp, encodeRlpList } from '../../primitives/rlp.ts'
import { ibft2Protocol } from '../ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../qbft/qbftProtocol.ts'
import type { BftEffect } from './machine.ts'
import type { BftKind } from './messages.ts'
import { encodeDigestPayload, encodeSigned, encodeView } from './payloads.ts'
import { toProposedBlock } from './proposedBlock.ts'

const requestTimeoutSeconds = 10
const [a, b, c, d] = authorities(4) as [Authority, Authority, Authority, Authority]
const four = [a, b, c, d]

for (const protocol of [ibft2Protocol, qbftProtocol])
  describe(protocol.name, () => {
    const open = (options: Partial<NetworkOptions> = {}) =>
      createBftNetwork({ protocol, crypto: cheapCryptoOf, requestTimeoutSeconds, ...options })
    const reaches = (network: BftNetwork, height: bigint) => () => network.heights().every((number) => number >= height)

    /** Milliseconds from each block to the next one, as the network makes them. */
    function paceOf(network: BftNetwork, blocks: number): number[] {
      const times: number[] = []
      const first = network.heights().reduce((x, y) => (x > y ? x : y))
      for (let i = 1n; i <= BigInt(blocks); i++) {
        network.runUntil(reaches(network, first + i))
        times.push(network.now())
      }
      return times.slice(1).map((time, i) => time - times[i]!)
    }

    const proposersOf = (network: BftNetwork) =>
      network.validators[0]!.chain.slice(1).map(({ header }) =>
        network.keys.findIndex(({ address }) => equalBytes(address, header.beneficiary)),
      )

    describe('a proposer that is away', () => {
      test('is waited for once, and then for a quarter of a second', () => {
        const network = open()
        for (const index of [0, 1, 3]) network.start(index)
        const waits = paceOf(network, 30)
        expect(waits.filter((wait) => wait > 1250)).toHaveLength(1)
        expect(waits.slice(3).filter((wait) => wait === 1250)).toHaveLength(9)
        // The others are in time: a round that is a little later ends in the same second.
        expect(waits.slice(3).reduce((sum, wait) => sum + wait) / 26).toBeLessThan(1010)
        expect(proposersOf(network).slice(0, 7)).toEqual([0, 1, 3, 0, 1, 3, 0])
      })

      /** Starts a validator that has been given the blocks that it missed. */
      function bringBack(network: BftNetwork, index: number): void {
        const { chain } = network.validators[index]!
        chain.push(...network.validators[0]!.chain.slice(chain.length))
        network.start(index)
      }

      test('is told of when its turn is passed over, and when it proposes again', () => {
        const turns: string[] = []
        const network = open({
          watch(effect, index) {
            if (index === 0 && effect.type === 'turn')
              turns.push(`${four.findIndex(({ address }) => equalBytes(address, effect.author))} ${effect.isTaken}`)
            return true
          },
        })
        for (const index of [0, 1, 3]) network.start(index)
        network.runUntil(reaches(network, 10n))
        bringBack(network, 2)
        network.runUntil(reaches(network, 20n))
        expect(turns).toEqual(['2 false', '2 false', '2 true'])
      })

      test('proposes at its next turn when it is back', () => {
        const network = open()
        for (const index of [0, 1, 3]) network.start(index)
        network.runUntil(reaches(network, 12n))
        bringBack(network, 2)
        network.runUntil(reaches(network, 17n))
        expect(proposersOf(network).slice(12, 17)).toContain(2)
      })

      test('costs nothing if its connections have closed', () => {
        const network = open()
        network.startAll()
        network.runUntil(reaches(network, 5n))
        network.kill(2)
        for (const index of [0, 1, 3]) network.handle(index, { type: 'unlink', address: c.address })
        expect(Math.max(...paceOf(network, 12))).toBe(1250)
      })
    })

    test('two of seven that are away cost little from their second turn on, in a row or not', () => {
      for (const away of [
        [2, 3],
        [2, 5],
        [6, 0],
      ]) {
        const network = open({ validators: 7 })
        for (const index of network.keys.keys()) if (!away.includes(index)) network.start(index)
        network.runUntil(reaches(network, 12n))
        const waits = paceOf(network, 21)
        expect(Math.max(...waits)).toBeLessThanOrEqual(1500)
        expect(waits.reduce((sum, wait) => sum + wait) / 20).toBeLessThan(1030)
      }
    })

    describe('an invalid proposal', () => {
      const flaw = { reason: 'wrong state root' }

      test('costs nothing, at any turn', () => {
        const network = open({
          flaw: ({ header }) => (equalBytes(header.beneficiary, b.address) ? flaw : undefined),
        })
        network.startAll()
        network.runUntil(reaches(network, 1n))
        expect(Math.max(...paceOf(network, 12))).toBe(1000)
        expect(new Set(proposersOf(network))).toEqual(new Set([0, 2, 3]))
      })

      test('is told of with its author', () => {
        const told: BftEffect[] = []
        const network = open({
          flaw: ({ header }) => (equalBytes(header.beneficiary, b.address) ? flaw : undefined),
          watch(effect, index) {
            if (index === 0 && effect.type === 'invalid') told.push(effect)
            return true
          },
        })
        network.startAll()
        network.runUntil(reaches(network, 3n))
        expect(told).toEqual([{ type: 'invalid', kind: 'proposal', author: b.address, height: 2n, round: 0, flaw }])
      })

      test('of both first proposers leads to the third', () => {
        const network = open({
          validators: 7,
          flaw: ({ header: { beneficiary } }) =>
            [1, 2].some((index) => equalBytes(beneficiary, authorities(7)[index]!.address)) ? flaw : undefined,
        })
        network.startAll()
        network.runUntil(reaches(network, 1n))
        expect(Math.max(...paceOf(network, 14))).toBe(1000)
      })
    })

    describe('a single validator', () => {
      const { codes } = protocol
      const sign = (who: Authority, kind: BftKind, payload: Uint8Array) =>
        encodeSigned(payload, cheapCryptoOf(who).sign(protocol.signingDigest(codes[kind], payload)))

      /** The second of four, at the turn of the first. */
      function alone(flaw?: string) {
        const network = open(flaw === undefined ? {} : { flaw: () => ({ reason: flaw }) })
        network.start(1)
        const machine = network.validators[1]!.machine!
        const parent = network.headOf(1)
        const due = Number(parent.header.timestamp + 1n) * 1000
        const plan = { parent, round: 0, timestamp: parent.header.timestamp + 1n }
        const block = toProposedBlock(protocol.codec, blockFor(protocol, a, four, plan))
        const roundOf = () => machine.status()!.round
        const hear = (data: Uint8Array, from: Authority, now: number) =>
          machine.handle({ type: 'message', code: codes.proposal, data, from: from.address }, now)
        const proposal = () => {
          const payload = protocol.encodeProposalPayload({ height: 1n, round: 0, digest: block.digest } as never, block)
          return protocol.encodeProposal(sign(a, 'proposal', payload), block, [], undefined)
        }
        return {
          machine,
          due,
          roundOf,
          hear,
          proposal,
          wake: (now: number) => machine.handle({ type: 'timer', timer: { kind: 'block', height: 1n } }, now),
        }
      }

      /** A proposal of bytes that are no block. */
      function garbage(): Uint8Array {
        const view = encodeView(protocol, { height: 1n, round: 0 })
        const [rubbish, digest] = [encodeRlp(Uint8Array.of(1, 2, 3)), encodeRlp(zeroHash)]
        const none = encodeRlpList([encodeRlpList([]), encodeRlpList([])])
        return protocol.signsBlocks
          ? encodeRlpList([sign(a, 'proposal', encodeRlpList([...view, rubbish])), none])
          : encodeRlpList([
              sign(a, 'proposal', encodeRlpList([...view, digest])),
              rubbish,
              encodeRlp(new Uint8Array(0)),
            ])
      }

      test('leaves the round of an invalid proposal at once if its block is due', () => {
        const { wake, hear, proposal, due, roundOf } = alone('no good')
        wake(due)
        expect(roundOf()).toBe(0)
        hear(proposal(), a, due + 10)
        expect(roundOf()).toBe(1)
      })

      test('leaves it when the block is due if it came before', () => {
        const { wake, hear, proposal, due, roundOf } = alone('no good')
        hear(proposal(), a, due - 500)
        expect(roundOf()).toBeLessThan(1)
        wake(due)
        expect(roundOf()).toBe(1)
      })

      test('takes the word of another only for what the author has signed', () => {
        const { wake, hear, proposal, due, roundOf } = alone('no good')
        wake(due)
        hear(proposal(), c, due + 10)
        expect(roundOf()).toBe(protocol.signsBlocks ? 1 : 0)
      })

      test('leaves the round of a proposal that nobody can read, if its author has sent it', () => {
        const { wake, hear, due, roundOf } = alone()
        wake(due)
        hear(garbage(), c, due + 10)
        expect(roundOf()).toBe(0)
      })

      test('leaves it once its author has', () => {
        const { wake, hear, due, roundOf } = alone()
        wake(due)
        const effects = hear(garbage(), a, due + 10)
        expect(roundOf()).toBe(1)
        expect(effects).toContainEqual(
          expect.objectContaining({ type: 'invalid', author: a.address, height: 1n, round: 0 }),
        )
      })

      test('stays in the round of a proposal that it has voted for', () => {
        const { machine, wake, hear, proposal, due, roundOf } = alone()
        wake(due)
        hear(proposal(), a, due + 10)
        machine.handle({ type: 'timer', timer: { kind: 'turn', height: 1n, round: 0 } }, due + 250)
        expect(roundOf()).toBe(0)
      })

      test('does not vote for a proposal whose round it has left', () => {
        const { machine, wake, hear, proposal, due, roundOf } = alone()
        wake(due)
        machine.handle({ type: 'timer', timer: { kind: 'round', height: 1n, round: 0 } }, due + 10_000)
        expect(roundOf()).toBe(1)
        expect(hear(proposal(), a, due + 11_000).filter(({ type }) => type === 'send')).toEqual([])
        expect(roundOf()).toBe(1)
      })

      test('waits on if more than may be faulty vote for a proposal that it does not have', () => {
        const { machine, wake, due, roundOf } = alone()
        machine.handle({ type: 'unlink', address: a.address }, due - 100)
        const effects = wake(due)
        const turn = effects.find((effect) => effect.type === 'timer' && effect.timer.kind === 'turn')
        expect(turn).toMatchObject({ due: { after: 250 } })
        for (const who of [c, d]) {
          const payload = encodeDigestPayload(protocol, { height: 1n, round: 0, digest: zeroHash })
          const data = sign(who, 'prepare', payload)
          machine.handle({ type: 'message', code: codes.prepare, data, from: who.address }, due + 50)
        }
        machine.handle({ type: 'timer', timer: { kind: 'turn', height: 1n, round: 0 } }, due + 250)
        expect(roundOf()).toBe(0)
      })

      test('does not when nobody does', () => {
        const { machine, wake, due, roundOf } = alone()
        machine.handle({ type: 'unlink', address: a.address }, due - 100)
        wake(due)
        machine.handle({ type: 'timer', timer: { kind: 'turn', height: 1n, round: 0 } }, due + 250)
        expect(roundOf()).toBe(1)
      })
    })
  })
