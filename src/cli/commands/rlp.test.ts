import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCliHarness } from '../../../test/support/cliHarness.ts'

let cli: ReturnType<typeof createCliHarness>
beforeEach(() => {
  cli = createCliHarness()
})
afterEach(() => cli.remove())

const one = 'a94f5374fce5edbc8e2a8697c15331677e6ebf0b'
const ibft = `0xf83ea0${'00'.repeat(32)}d594${one}808400000000c0`
const qbft = `0xf83aa0${'00'.repeat(32)}d594${one}c080c0`

describe('encode', () => {
  test.each([
    ['IBFT by default', [], `["${one}"]`, ibft],
    ['QBFT', ['--type=QBFT_EXTRA_DATA'], `["${one}"]`, qbft],
    ['prefix, upper case and white space', [], ` [ "0x${one.toUpperCase()}"\n]\n`, ibft],
  ])('%s', async (_, args, stdin, want) => {
    const { code, stdout, stderr } = await cli.run(['rlp', 'encode', ...args], { stdin })
    expect([code, stdout, stderr]).toEqual([0, want + '\n', ''])
  })

  test('keeps the order that was given', async () => {
    const { stdout } = await cli.run(['rlp', 'encode'], { stdin: `["${'02'.repeat(20)}","${'01'.repeat(20)}"]` })
    expect(stdout).toContain(`94${'02'.repeat(20)}94${'01'.repeat(20)}`)
  })

  test('from file to file, without a newline', async () => {
    cli.write('in.json', `["${one}"]`)
    const { code, stdout } = await cli.run(['rlp', 'encode', '--from={dir}/in.json', '--to={dir}/out'])
    expect([code, stdout, cli.read('out')]).toEqual([0, '', ibft])
    expect(cli.entries()).toEqual(['in.json', 'out'])
  })

  test.each([
    ['no input', '', /^An error occurred while trying to read the JSON data\.\n$/],
    ['no JSON', '[', /^Unable to load the JSON data\. Please check JSON input format\. .+\n$/],
    [
      'an object',
      '{"a":1}',
      /^Unable to map the JSON data with selected type\. Please check JSON input format\. .+\n$/,
    ],
    ['a wrong item', '[true]', /^Unable to map the JSON data with selected type\. /],
    ['no hexadecimal', '["xy"]', /^'xy' is not an address: 40 hexadecimal digits are expected\n$/],
    ['an empty address', '["0x"]', /^'0x' is not an address: /],
    ['a short address', '["0x12"]', /^'0x12' is not an address: /],
    ['a number', '[12]', /^'12' is not an address: /],
    ['too long', `["00${one}"]`, /^'00a94f.+' is not an address: /],
    ['twice', `["${one}","0x${one}"]`, /^Validator 0x.* is listed more than once\n$/],
  ])('refuses %s', async (_, stdin, message) => {
    const { code, stdout, stderr } = await cli.run(['rlp', 'encode', '--to={dir}/out'], { stdin })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(cli.entries()).toEqual([])
  })

  test('a file that cannot be read or written', async () => {
    const read = await cli.run(['rlp', 'encode', '--from={dir}/none'])
    expect([read.code, read.stderr]).toEqual([1, expect.stringMatching(/^Unable to read JSON file\. /)])
    const write = await cli.run(['rlp', 'encode', '--to={dir}/none/out'], { stdin: '[]' })
    const text = /^An error occurred while trying to write the RLP string\. /
    expect([write.code, write.stderr]).toEqual([1, expect.stringMatching(text)])
  })
})

describe('decode', () => {
  test.each([
    ['IBFT', [], ibft],
    ['QBFT', ['--type=QBFT_EXTRA_DATA'], qbft + '\n'],
    ['without prefix', [], ibft.slice(2)],
  ])('%s', async (_, args, stdin) => {
    const { code, stdout } = await cli.run(['rlp', 'decode', ...args], { stdin })
    expect([code, stdout]).toEqual([0, `["0x${one}"]\n`])
  })

  test.each([
    ['the other layout', qbft],
    ['no hexadecimal', 'xyz'],
    ['too little', ibft.slice(0, -2)],
    ['too much', ibft + '00'],
  ])('refuses %s', async (_, stdin) => {
    const { code, stdout, stderr } = await cli.run(['rlp', 'decode', '--to={dir}/out'], { stdin })
    expect([code, stdout, cli.entries()]).toEqual([1, '', []])
    expect(stderr).toMatch(/^The input is not IBFT_EXTRA_DATA in hexadecimal: .+\n$/)
  })
})
