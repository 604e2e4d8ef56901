import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyNumber } from '../../test/support/netHarness.ts'
import { curve } from '../primitives/secp256k1.ts'
import { formatEnode, parseEnode } from './enode.ts'
import { NetError } from './fault.ts'
import { bytesToIp, ipToBytes, isLoopback, isUsableIp } from './ip.ts'

const id = curve.publicKey(keyNumber(1))
const digits = Buffer.from(id).toString('hex')

describe('enode URLs', () => {
  test.each([
    [`enode://${digits}@127.0.0.1:30303`, { id, ip: '127.0.0.1', tcpPort: 30303, udpPort: 30303 }],
    [`enode://${digits}@10.0.0.1:30303?discport=0`, { id, ip: '10.0.0.1', tcpPort: 30303, udpPort: 0 }],
    [`enode://${digits}@[2001:db8::1]:1?discport=2`, { id, ip: '2001:db8::1', tcpPort: 1, udpPort: 2 }],
  ])('%s', (text, enode) => {
    expect(parseEnode(text)).toEqual(enode)
    expect(formatEnode(enode)).toBe(text)
  })

  test('upper case digits are read', () => {
    expect(parseEnode(`enode://${digits.toUpperCase()}@1.2.3.4:5`).id).toEqual(id)
  })

  test.each([
    ['', 'expected enode://'],
    [`${digits}@1.2.3.4:5`, 'expected enode://'],
    [`enode://${digits}@1.2.3.4`, 'expected enode://'],
    [`enode://${digits}@1.2.3.4:5?disc=6`, 'expected enode://'],
    [`enode://0x${digits}@1.2.3.4:5`, 'exactly 128 hexadecimal characters'],
    [`enode://${digits.slice(2)}@1.2.3.4:5`, 'exactly 128 hexadecimal characters'],
    [`enode://${'0'.repeat(128)}@1.2.3.4:5`, 'not a public key'],
    [`enode://${digits}@example.org:5`, 'not an IP address'],
    [`enode://${digits}@1.2.3.4:65536`, 'at most 65535'],
    [`enode://${digits}@1.2.3.4:1?discport=65536`, 'at most 65535'],
  ])('%s is refused', (text, reason) => {
    expect(() => parseEnode(text)).toThrow(NetError)
    expect(() => parseEnode(text)).toThrow(reason)
  })
})

describe('IP addresses', () => {
  test('bytes and text undo each other', () => {
    fc.assert(fc.property(fc.ipV4(), (ip) => void expect(bytesToIp(ipToBytes(ip))).toBe(ip)))
    fc.assert(
      fc.property(fc.ipV6(), (ip) => {
        const bytes = ipToBytes(ip)
        expect(bytes.length).toBe(16)
        const text = bytesToIp(bytes)!
        // IPv4 addresses inside IPv6 ones become shorter.
        if (text.includes(':')) expect(ipToBytes(text)).toEqual(bytes)
        else expect(ipToBytes(text)).toEqual(bytes.subarray(12))
      }),
    )
  })

  test('kinds', () => {
    expect(bytesToIp(new Uint8Array(5))).toBe(undefined)
    expect(ipToBytes('example.org').length).toBe(0)
    expect(['127.0.0.1', '::1', '10.0.0.1'].map(isLoopback)).toEqual([true, true, false])
    expect(['10.0.0.1', '0.0.0.0', '224.0.0.1', '255.255.255.255', 'ff02::1', '', '::'].map(isUsableIp)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ])
  })
})
