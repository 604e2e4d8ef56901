import { describe, expect, test } from 'vitest'
import { type BftNetwork, cheapCryptoOf, createBftNetwork } from '../../../test/support/machineNetwork.ts'
import { decodeRlp, encodeRlp, rlpList } from '../../primitives/rlp.ts'
import { ibft2Protocol } from '../ibft2/ibft2Protocol.ts'
import { qbftProtocol } from '../qbft/qbftProtocol.ts'
import { createBftReader } from './bftReader.ts'
import { decodeBftRecord, encodeBftRecord } from './bftRecord.ts'
import type { BftProtocol } from './protocol.ts'

describe.each([
  [ibft2Protocol, qbftProtocol],
  [qbftProtocol, ibft2Protocol],
])('$name', (protocol, other) => {
  const open = (of: BftProtocol = protocol) => createBftNetwork({ protocol: of, crypto: cheapCryptoOf })
  const reader = createBftReader(protocol, cheapCryptoOf(open().keys[0]!))

  /** Records that the first validator wrote until the network was at a height. */
  function recordsUpTo(height: bigint): Uint8Array[] {
    const records: Uint8Array[] = []
    const network = createBftNetwork({
      protocol,
      crypto: cheapCryptoOf,
      // The first height needs a round change.
      loses: ({ kind, height: at, round }) => kind === 'commit' && at === 1n && round === 0,
      watch(effect, index) {
        if (index === 0 && effect.type === 'persist') records.push(effect.record)
        return true
      },
    })
    network.startAll()
    network.runUntil(() => network.headOf(0).header.number >= height)
    return records
  }

  function startWith(network: BftNetwork, record: Uint8Array) {
    network.validators[0]!.record = record
    network.start(0)
    return network.validators[0]!.machine!
  }

  test('decode undoes encode, all along', () => {
    const records = recordsUpTo(2n)
    expect(records.length).toBeGreaterThan(4)
    for (const bytes of records) {
      const { record, closedHeight } = decodeBftRecord(protocol, bytes, reader)
      expect(encodeBftRecord(protocol, record!)).toEqual(bytes)
      expect(closedHeight).toBe(record!.height - 1n)
    }
    const last = decodeBftRecord(protocol, records.at(-1)!, reader).record!
    expect(last).toMatchObject({ height: 2n, round: 0, prepared: { certificate: { round: 0 } } })
  })

  test('below the height of its record a validator has nothing to say any more', () => {
    const machine = startWith(open(), recordsUpTo(2n).at(-1)!)
    expect(machine.status()).toMatchObject({ height: 1n, round: -1, isValidator: false })
  })

  test('the record of another protocol closes its height as well', () => {
    const [first] = recordsUpTo(1n)
    const machine = startWith(open(other), first!)
    expect(machine.status()).toMatchObject({ height: 1n, round: -1, isValidator: false })
  })

  test('a validator does not start with a record that it cannot read', () => {
    const [record] = recordsUpTo(1n)
    const [, ...rest] = rlpList(decodeRlp(record!))
    for (const bytes of [new Uint8Array(0), record!.subarray(1), encodeRlp(rest)])
      expect(() => startWith(open(), bytes)).toThrow()
  })
})
