import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toAddress } from '../primitives/bytes.ts'
import { CliError } from './fault.ts'
import { bootnode, hosts, origins } from './networkValues.ts'
import {
  address,
  bigInteger,
  boolean,
  decimal,
  duration,
  fileName,
  hexData,
  host,
  identity,
  integer,
  list,
  listOf,
  logLevel,
  type OptionCodec,
  oneOf,
  port,
  ratio,
  seconds,
  wei,
} from './values.ts'

function complaint(codec: OptionCodec<unknown>, text: string): string {
  try {
    codec.decode(text)
  } catch (error) {
    if (error instanceof CliError && error.at.code === 'BAD_VALUE') return error.at.text
    throw error
  }
  throw new Error(`'${text}' was accepted`)
}

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const u256 = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n })

describe('decode undoes encode', () => {
  const cases: [string, OptionCodec<unknown>, fc.Arbitrary<unknown>][] = [
    ['boolean', boolean, fc.boolean()],
    ['integer', integer(-5, 5), fc.integer({ min: -5, max: 5 })],
    ['port', port, fc.integer({ min: 0, max: 65535 })],
    ['duration', duration(3600), fc.integer({ min: 1, max: 3_600_000 }).map((n) => n / 1000)],
    ['decimal', decimal(0, 100), fc.double({ min: 0, max: 100, noNaN: true }).map((n) => n + 0)],
    ['ratio', ratio, fc.double({ min: 0, max: 1, noNaN: true }).map((n) => n + 0)],
    ['wei', wei, u256],
    ['address', address, bytes(20).map(toAddress)],
    ['hexData', hexData(32), fc.uint8Array({ maxLength: 32 })],
    ['oneOf', oneOf(['layered', 'legacy'], 'any case'), fc.constantFrom('layered', 'legacy')],
    ['list', list(address), fc.array(bytes(20).map(toAddress))],
    ['hosts', hosts, fc.constantFrom(['*'], [], ['a.example', 'localhost'])],
  ]
  for (const [name, codec, values] of cases)
    test(name, () => {
      fc.assert(
        fc.property(values, (value) => {
          expect(codec.decode(codec.encode(value))).toEqual(value)
        }),
      )
    })
})

test('words are found in any case and given as they stand in the table', () => {
  expect(oneOf(['layered', 'legacy'], 'any case').decode('LeGaCy')).toBe('legacy')
  expect(boolean.decode('TRUE')).toBe(true)
  expect(logLevel.decode('debug')).toBe('DEBUG')
  expect(logLevel.decode('fatal')).toBe('ERROR')
})

test('a time is in seconds unless it says otherwise', () => {
  expect(['250ms', '2s', '2', '1500MS'].map(duration(60).decode)).toEqual([0.25, 2, 2, 1.5])
})

test('amounts are decimal or hexadecimal, and a leading zero is still decimal', () => {
  expect(wei.decode('0x10')).toBe(16n)
  expect(wei.decode('010')).toBe(10n)
})

test('a ratio may be in percent', () => {
  expect(ratio.decode('12.5%')).toBe(0.125)
})

test('lists drop empty items and blanks', () => {
  expect(listOf(['ETH', 'NET']).decode(' ETH,,NET,ETH,')).toEqual(['ETH', 'NET'])
})

test('everybody and nobody', () => {
  expect(hosts.decode('all')).toEqual(['*'])
  expect(hosts.decode('none')).toEqual([])
  expect(origins.decode('*')).toEqual(['*'])
})

describe('a wrong value is told apart', () => {
  const cases: [string, OptionCodec<unknown>, string, string][] = [
    ['boolean', boolean, 'yes', "'yes' is not a boolean"],
    ['integer', port, 'a', "'a' is not an int"],
    ['empty integer', port, '', "'' is not an int"],
    ['fraction for integer', port, '1.5', "'1.5' is not an int"],
    ['hexadecimal for integer', port, '0x10', "'0x10' is not an int"],
    ['too small', integer(-1, 5), '-2', "'-2' is below the minimum of -1"],
    ['too large', port, '65536', "'65536' is above the maximum of 65535"],
    ['longer than a timer', seconds, '2147484', "'2147484' is above the maximum of 2147483"],
    ['duration', duration(60), '0.25s', "'0.25s' is not a time such as 250ms, 2s or 2"],
    ['no duration', duration(60), '0ms', "'0ms' is not more than 0"],
    ['long duration', duration(60), '61', "'61' is above the maximum of 60s"],
    ['decimal', decimal(0, 100), 'NaN', "'NaN' is not a double"],
    ['decimal range', decimal(0, 100), '100.1', "'100.1' is not between 0 and 100"],
    ['ratio', ratio, '1.5', "'1.5' is not between 0 and 1"],
    ['percent', ratio, '101%', "'101' is not between 0 and 100"],
    ['wei', wei, '-1', "'-1' is not an amount in wei"],
    ['wei with unit', wei, '1 ether', "'1 ether' is not an amount in wei"],
    ['wei of 257 bits', wei, `0x1${'0'.repeat(64)}`, `'0x1${'0'.repeat(64)}' does not fit into 256 bits`],
    ['big integer', bigInteger, 'x', "'x' is not an unsigned integer"],
    ['address', address, '0x12', "cannot convert '0x12' to Address (it must be 20 bytes in hexadecimal)"],
    ['hex', hexData(2), 'xyz', "'xyz' is not hexadecimal data"],
    ['too much hex', hexData(2), '0x010203', '3 bytes exceed the maximum of 2'],
    ['host', host, '', 'must not be empty'],
    ['identity', identity, 'a/b', "'a/b' must not contain spaces or slashes"],
    ['file name', fileName, '../x', "'../x' is not a file name without directory"],
    ['parent', fileName, '..', "'..' is not a file name without directory"],
    ['log level', logLevel, 'loud', 'Unknown logging value: loud'],
    ['any case', oneOf(['A', 'B'], 'any case'), 'c', "expected one of [A, B] (case-insensitive) but was 'c'"],
    ['exact case', oneOf(['A', 'B'], 'exact case'), 'a', "expected one of [A, B] (case-sensitive) but was 'a'"],
    ['entries', listOf(['ETH', 'NET']), 'ETH,X,Y', 'invalid entries found [X, Y], expected some of [ETH, NET]'],
    ['list item', list(port), '1,x', "'x' is not an int"],
    ['all and others', hosts, '*,a', "Values '*' or 'all' can't be used with other hostnames"],
    ['none and others', hosts, 'none,a', "Value 'none' can't be used with other hostnames"],
    ['no host', hosts, '', 'Hostname cannot be empty string or null string.'],
    ['origins', origins, 'all,a', "Values '*' or 'all' can't be used with other domains"],
    ['node record', bootnode, 'enr:xx', "Invalid node record 'enr:xx': it is cut or damaged"],
    ['pattern', origins, '(', "Domain values result in invalid regex pattern: '('"],
  ]
  for (const [name, codec, text, message] of cases) test(name, () => expect(complaint(codec, text)).toBe(message))
})
