import { describe, expect, test } from 'vitest'
import { encodeRecord } from '../../test/support/localKeys.ts'
import { keyNumber } from '../../test/support/netHarness.ts'
import { createLocalKey } from '../keys/nodeIdentity.ts'
import { fromHex, toHex } from '../primitives/hex.ts'
import { encodeRlp, type RlpItem, scalar } from '../primitives/rlp.ts'
import { curve } from '../primitives/secp256k1.ts'
import { decodeRecord, endpointEntries, formatRecord, parseRecord, recordToEnode } from './enr.ts'
import { createOwnRecord } from './ownRecord.ts'

// The example of EIP-778.
const exampleKey = fromHex('b71c71a67e1177ad4e901695e1b4b9ee17ae16c6668d313eac2f96dbcda3f291')
const example =
  'enr:-IS4QHCYrYZbAKWCBRlAy5zzaDZXJBGkcnh4MHcBFZntXNFrdvJjX04jRzjzCBOonrkTfj499SZuOh8R33Ls8RRcy5wBgmlkgnY0gmlwhH8AAAGJc2Vj' +
  'cDI1NmsxoQPKY0yuDUmstAHYpMa2_oxVtw0RW_QAdpzBQA8yWM0xOIN1ZHCCdl8'

describe('node records', () => {
  test('the published example is read, and made again', () => {
    const record = decodeRecord(parseRecord(example))
    expect(record.seq).toBe(1n)
    expect(recordToEnode(record)).toEqual({
      id: curve.publicKey(exampleKey),
      ip: '127.0.0.1',
      tcpPort: 0,
      udpPort: 30303,
    })
    const entries = new Map<string, RlpItem>([
      ['udp', scalar(30303)],
      ['ip', Uint8Array.of(127, 0, 0, 1)],
    ])
    const made = encodeRecord(1n, entries, exampleKey)
    expect(decodeRecord(made)).toEqual(record)
    expect(toHex(made).slice(140)).toBe(toHex(parseRecord(example)).slice(140))
    expect(formatRecord(made)).toMatch(/^enr:[\w-]+$/)
  })

  test('what was changed, is out of order or too long is refused', () => {
    const key = keyNumber(1)
    const record = encodeRecord(7n, new Map([['x', Uint8Array.of(1)]]), key)
    for (let at = 0; at < record.length; at++) {
      const changed = record.slice()
      changed[at]! ^= 1
      expect(() => decodeRecord(changed)).toThrow()
    }
    expect(() => encodeRecord(7n, new Map([['x', new Uint8Array(300)]]), key)).toThrow('bytes')
    const text = (name: string) => new TextEncoder().encode(name)
    const unordered = encodeRlp([new Uint8Array(64), scalar(1), text('x'), text('a'), text('id'), text('v4')])
    expect(() => decodeRecord(unordered)).toThrow('out of order')
    expect(() => parseRecord('enode://')).toThrow('enr:')
  })

  test('the own record gets a new number when it changes, and only then', () => {
    let self = { id: curve.publicKey(keyNumber(1)), ip: '10.0.0.1', tcpPort: 1, udpPort: 2 }
    let fork = Uint8Array.of(1)
    const clock = { now: () => 1000, after: () => () => undefined }
    const own = createOwnRecord(
      createLocalKey(keyNumber(1)),
      clock,
      () => self,
      () => new Map([['eth', [fork]]]),
    )
    expect(own().seq).toBe(1000n)
    expect(own()).toBe(own())
    fork = Uint8Array.of(2)
    expect(decodeRecord(own().bytes)).toMatchObject({ seq: 1001n })
    self = { ...self, ip: '::1' }
    expect(recordToEnode(decodeRecord(own().bytes))).toEqual(self)
    expect(own().seq).toBe(1002n)
    expect([...endpointEntries(self).keys()]).toEqual(['ip6', 'tcp', 'udp'])
  })
})
