import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Authority, authorities } from '../../../test/support/authorityChain.ts'
import { blockFor, cryptoOf, genesisOf } from '../../../test/support/machineNetwork.ts'
import { toHash32 } from '../../primitives/bytes.ts'
import { fromHex, hexToAddress, toHex } from '../../primitives/hex.ts'
import { decodeRlp, encodeRlp, rlpList } from '../../primitives/rlp.ts'
import { toWord } from '../../primitives/u256.ts'
import { encodeBlock } from '../../types/block.ts'
import { ibft2Protocol } from '../ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../qbft/qbftProtocol.ts'
import { createBftReader } from './bftReader.ts'
import { inEncoding } from './messageEncoding.ts'
import type { BftKind, Certificate, PreparedBlock } from './messages.ts'
import { encodeCommitPayload, encodeDigestPayload, encodeSigned, readSignedDigest } from './payloads.ts'
import { toProposedBlock, withRound } from './proposedBlock.ts'
import type { BftProtocol } from './protocol.ts'
import { heightOf, kindOf, readMessage } from './readMessage.ts'

const addressOfKeyOne = '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf'
const one: Authority = { key: toWord(1n), address: hexToAddress(addressOfKeyOne) }
const ones = toHash32(new Uint8Array(32).fill(0x11))
const onesHex = '11'.repeat(32)

function signWith(protocol: BftProtocol, who: Authority, kind: BftKind, payload: Uint8Array): Uint8Array {
  return encodeSigned(payload, cryptoOf(who).sign(protocol.signingDigest(protocol.codes[kind], payload)))
}

describe('as known from other nodes', () => {
  test.each([
    [
      ibft2Protocol,
      'b22ea080595cb955032d0fe9da72f187bc379841787194d7e31e56df46b56213',
      `f873ef8800000000000000018400000000a0${onesHex}b84172f6f00c04eb3dbdc54222e04009bf57195319a5ba811f43e8824f12135382b038d4427cadfa4f963c2db68799834cd29c6c5704000d7c1cf8efbccb6e154fec00`,
    ],
    [
      qbftProtocol,
      '611bb7151a72a3d81074f3f6203e5743710670e22b389bb4e1939bb07aa83557',
      `f867e30180a0${onesHex}b841a9931cd2102f4acea63fd1e13f6397438127dc90020ed74e72872a4c53441c946cc2d8ba11e82d5d46b6aa4c5ea71491f487dd8a0401e97339e3cfde0d12cdac01`,
    ],
  ])('a prepare of $name', (protocol, digest, message) => {
    const payload = encodeDigestPayload(protocol, { height: 1n, round: 0, digest: ones })
    expect(toHex(protocol.signingDigest(protocol.codes.prepare, payload))).toBe(`0x${digest}`)
    const data = signWith(protocol, one, 'prepare', payload)
    expect(toHex(data)).toBe(`0x${message}`)
    const reader = createBftReader(protocol, cryptoOf(one))
    const { signed } = readMessage(protocol, 'prepare', data, reader)
    expect(toHex(signed.author)).toBe(addressOfKeyOne)
    expect(signed.payload).toEqual({ height: 1n, round: 0, digest: ones })
  })

  test.each([
    [
      ibft2Protocol,
      'cf36e7f153e9bf7f6e6b981fd8b0920ff0d41281af305f5ade1b9e8692773430',
      'f856f853cf880000000000000001840000000180b84147d597e5b5680151a76c813cdaa33c9c8139516b8b22bd956287c734941d7b117a09eeb30d88a59d94eef9ebeff317c546de855127b61cb2de7e12f4cd4f20770180',
    ],
    [
      qbftProtocol,
      '834d3ecc779a1fe0ecb76fde2b3c50a8d549fb838f4b5469ad0a52565c94b3ce',
      'f84bf847c30101c0b841e86760feb33b86f6db9e76d3501cb40bb1b0cbfcd3b0da0a3dc538f459d1958642304e1a084ad20f796c813e992379d5efc35e4227540656e3be683fc31ba5e901c0c0',
    ],
  ])('a round change of $name with nothing prepared', (protocol, digest, message) => {
    const payload = protocol.encodeRoundChangePayload({ height: 1n, round: 1 }, undefined)
    expect(toHex(protocol.signingDigest(protocol.codes.roundChange, payload))).toBe(`0x${digest}`)
    const data = protocol.encodeRoundChange(signWith(protocol, one, 'roundChange', payload), undefined)
    expect(toHex(data)).toBe(`0x${message}`)
    const read = readMessage(protocol, 'roundChange', fromHex(message), createBftReader(protocol, cryptoOf(one)))
    expect(read).toMatchObject({ block: undefined, certificate: undefined })
    expect(toHex(read.signed.author)).toBe(addressOfKeyOne)
  })
})

describe.each([[ibft2Protocol], [qbftProtocol]])('$name', (protocol) => {
  const four = authorities(4)
  const [a, b, c, d] = four
  const crypto = cryptoOf(a!)
  const newReader = () => createBftReader(protocol, crypto)
  const parent = genesisOf(protocol, four)
  const block = toProposedBlock(protocol.codec, blockFor(protocol, a!, four, { parent, round: 0, timestamp: 5n }))
  const { digest } = block
  const view = { height: 1n, round: 0 }
  const prepare = (who: Authority) =>
    readSignedDigest(
      protocol,
      'prepare',
      signWith(protocol, who, 'prepare', encodeDigestPayload(protocol, { ...view, digest })),
      newReader(),
    )

  const proposalSigned = signWith(protocol, a!, 'proposal', protocol.encodeProposalPayload(view, block))
  const certificate: Certificate = {
    round: 0,
    digest,
    proposal: protocol.proposerPrepares
      ? undefined
      : readSignedDigest(protocol, 'proposal', proposalSigned, newReader()),
    prepares: [b!, c!, d!].map(prepare),
  }
  const prepared: PreparedBlock = { block, certificate }
  const roundChange = (who: Authority, from: PreparedBlock | undefined) => {
    const payload = protocol.encodeRoundChangePayload({ height: 1n, round: 1 }, from?.certificate)
    return protocol.encodeRoundChange(signWith(protocol, who, 'roundChange', payload), from)
  }
  const seal = crypto.sign(digest)
  const commitPayload = encodeCommitPayload(protocol, { ...view, digest, seal })
  const again = withRound(protocol.codec, block, 1)
  const changes = [a!, b!, c!].map((who) => {
    const data = roundChange(who, prepared)
    return readMessage(protocol, 'roundChange', data, newReader()).signed.bytes
  })
  const later = { height: 1n, round: 1 }
  const messages: Record<string, readonly [BftKind, Uint8Array]> = {
    'a first proposal': ['proposal', protocol.encodeProposal(proposalSigned, block, [], undefined)],
    'a later proposal': [
      'proposal',
      protocol.encodeProposal(
        signWith(protocol, b!, 'proposal', protocol.encodeProposalPayload(later, again)),
        again,
        changes,
        certificate,
      ),
    ],
    'a prepare': ['prepare', prepare(b!).bytes],
    'a commit': ['commit', signWith(protocol, b!, 'commit', commitPayload)],
    'a round change': ['roundChange', roundChange(c!, prepared)],
    'a round change without a block': ['roundChange', roundChange(c!, undefined)],
  }

  // As Besu has written them since 26.1, with an access list, which is none before Amsterdam.
  for (const [name, [kind, data]] of Object.entries(messages)) {
    const listed = inEncoding(protocol, kind, data, 'accessList', cryptoOf(/later/.test(name) ? b! : a!).sign)!
    if (listed !== data) messages[`${name}, with an access list`] = [kind, listed]
  }

  test.each(Object.entries(messages).filter(([name]) => name.endsWith('list')))(
    '%s says the same',
    (name, [kind, data]) => {
      const plain = readMessage(protocol, kind, messages[name.split(',')[0]!]![1], newReader())
      const read = readMessage(protocol, kind, data, newReader())
      const { bytes: _, ...signed } = read.signed
      expect({ ...read, signed }).toEqual({ ...plain, signed: expect.objectContaining(signed) })
      expect(data).not.toEqual(messages[name.split(',')[0]!]![1])
    },
  )

  test('a first proposal', () => {
    const [kind, data] = messages['a first proposal']!
    const read = readMessage(protocol, kind, data, newReader())
    expect(read.signed).toMatchObject({ author: a!.address, payload: { ...view, digest } })
    expect(read).toMatchObject({ block, roundChanges: [], certificates: [] })
  })

  test('a later proposal says why it may be made', () => {
    const [kind, data] = messages['a later proposal']!
    const read = readMessage(protocol, kind, data, newReader())
    if (read.kind !== 'proposal') throw new Error('no proposal')
    expect(read.block).toEqual(again)
    expect(read.signed.payload).toEqual({ ...later, digest: again.digest })
    expect(read.roundChanges.map(({ author }) => author)).toEqual([a!.address, b!.address, c!.address])
    for (const { payload } of read.roundChanges) expect(payload.claim).toMatchObject({ round: 0, digest })
    expect(read.certificates).toEqual(
      protocol.proposerPrepares ? [certificate] : [certificate, certificate, certificate],
    )
  })

  test('a commit', () => {
    const [kind, data] = messages['a commit']!
    expect(readMessage(protocol, kind, data, newReader()).signed.payload).toEqual({ ...view, digest, seal })
  })

  test('a round change proves what it claims', () => {
    const [kind, data] = messages['a round change']!
    const read = readMessage(protocol, kind, data, newReader())
    expect(read).toMatchObject({ block, certificate, signed: { author: c!.address } })
  })

  test('codes have kinds, others have none', () => {
    for (const [kind, code] of Object.entries(protocol.codes)) expect(kindOf(protocol, code)).toBe(kind)
    expect(kindOf(protocol, protocol.wire.length)).toBeUndefined()
  })

  test.each(Object.entries(messages))('%s: its height is found without reading it', (_, [kind, data]) => {
    expect(heightOf(protocol, kind, data)).toBe(1n)
  })

  test.each(Object.entries(messages))('%s: no other bytes read the same', (_, [kind, data]) => {
    const whole = readMessage(protocol, kind, data, newReader())
    const same = (bytes: Uint8Array) => {
      try {
        return JSON.stringify(readMessage(protocol, kind, bytes, newReader()), shown) === JSON.stringify(whole, shown)
      } catch {
        return false
      }
    }
    expect(same(data.slice())).toBe(true)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: data.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = data.slice()
        bytes[at]! ^= change
        // A list without members in place of none: what is in a list is not looked at.
        fc.pre(!(data[at] === 0x80 && bytes[at] === 0xc0))
        expect(same(bytes)).toBe(false)
      }),
    )
    expect(same(data.subarray(0, -1))).toBe(false)
    expect(same(Uint8Array.of(...data, 0))).toBe(false)
  })

  test('votes of any height, round and digest', () => {
    const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHash32)
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
        fc.integer({ min: 0, max: 0xffff_ffff }),
        hash,
        (height, round, of) => {
          const payload = { height, round, digest: of, seal }
          const data = signWith(protocol, d!, 'commit', encodeCommitPayload(protocol, payload))
          const read = readMessage(protocol, 'commit', data, newReader())
          expect(read.signed).toEqual({ payload, author: d!.address, bytes: data })
          expect(heightOf(protocol, 'commit', data)).toBe(height)
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('a QBFT block with bytes behind its extra data', () => {
  const protocol = qbftProtocol
  const four = authorities(4)
  const [a, b] = four as [Authority, Authority]
  const reader = createBftReader(protocol, cryptoOf(a))
  const parent = genesisOf(protocol, four)
  const block = toProposedBlock(protocol.codec, blockFor(protocol, a, four, { parent, round: 0, timestamp: 5n }))
  const items = rlpList(decodeRlp(block.block.header.extraData))
  const header = { ...block.block.header, extraData: encodeRlp([...items, new Uint8Array(1000)]) }
  const inflated = { ...block, bytes: encodeBlock({ ...block.block, header }) }
  const view = { height: 1n, round: 0 }

  test('is read without them as a proposal, whose signature covers them', () => {
    const signed = signWith(protocol, a, 'proposal', protocol.encodeProposalPayload(view, inflated))
    const data = protocol.encodeProposal(signed, inflated, [], undefined)
    expect(data.length).toBeGreaterThan(1000)
    const read = readMessage(protocol, 'proposal', data, reader)
    expect(read).toMatchObject({ block, signed: { author: a.address, payload: { ...view, digest: block.digest } } })
  })

  test('is read without them as a prepared block', () => {
    const certificate = { round: 0, digest: block.digest, proposal: undefined, prepares: [] }
    const payload = protocol.encodeRoundChangePayload({ height: 1n, round: 1 }, certificate)
    const signed = signWith(protocol, b, 'roundChange', payload)
    const data = protocol.encodeRoundChange(signed, { block: inflated, certificate })
    expect(data.length).toBeGreaterThan(1000)
    expect(readMessage(protocol, 'roundChange', data, reader)).toMatchObject({ block, certificate })
  })
})

function shown(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
