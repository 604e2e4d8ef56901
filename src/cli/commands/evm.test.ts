import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCliHarness } from '../../../test/support/cliHarness.ts'

let cli: ReturnType<typeof createCliHarness>
beforeEach(() => {
  cli = createCliHarness()
})
afterEach(() => cli.remove())

/** Returns 1 + 2. */
const sum = '600160020160005260206000f3'
const three = `0x${'3'.padStart(64, '0')}`

describe('run', () => {
  test('shows output, gas and the end', async () => {
    const { code, stdout, stderr } = await cli.run(['evm', 'run', `0x${sum}`])
    expect([code, stdout, stderr]).toEqual([0, `output:   ${three}\ngas used: 24\nended by: return\n`, ''])
  })

  test('reads the code from a file', async () => {
    cli.write('code', `0x${sum}\n`)
    const { stdout } = await cli.run(['evm', 'run', '--code-file={dir}/code'])
    expect(stdout).toContain(three)
  })

  test('traces every step before the result', async () => {
    const { stdout } = await cli.run(['evm', 'run', '--trace', '--json', '--gas=100', '6001600201'])
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.slice(0, 3)).toEqual([
      { pc: 0, op: 0x60, gas: '0x64', gasCost: '0x3', memSize: 0, stack: [], depth: 1, refund: 0, opName: 'PUSH1' },
      {
        pc: 2,
        op: 0x60,
        gas: '0x61',
        gasCost: '0x3',
        memSize: 0,
        stack: ['0x1'],
        depth: 1,
        refund: 0,
        opName: 'PUSH1',
      },
      {
        pc: 4,
        op: 1,
        gas: '0x5e',
        gasCost: '0x3',
        memSize: 0,
        stack: ['0x1', '0x2'],
        depth: 1,
        refund: 0,
        opName: 'ADD',
      },
    ])
    expect(lines.at(-1)).toEqual({ status: 'success', halt: 'stop', gasUsed: '0x9', output: '0x', logs: [] })
  })

  test('a step that fails says why', async () => {
    const { stdout } = await cli.run(['evm', 'run', '--trace', '01'])
    expect(JSON.parse(stdout.split('\n')[0]!)).toMatchObject({ opName: 'ADD', error: 'stackUnderflow' })
    expect(stdout).toContain('gas used: 30000000\nended by: stackUnderflow\n')
  })

  test('input, value, sender and receiver', async () => {
    // Returns caller, value, own address and the first word of the input.
    const code = '33600052346020523060405260003560605260806000f3'
    const [sender, receiver] = ['11'.repeat(20), '22'.repeat(20)]
    const args = ['--value=5', `--sender=${sender}`, `--receiver=0x${receiver}`, `--input=0x${'33'.repeat(32)}`]
    const { stdout } = await cli.run(['evm', 'run', '--json', ...args, code])
    const words = [sender, '5', receiver, '33'.repeat(32)].map((word) => word.padStart(64, '0'))
    expect(JSON.parse(stdout).output).toBe(`0x${words.join('')}`)
  })

  test('init code creates a contract, with logs', async () => {
    // Emits a zero byte, then leaves two of code.
    const { stdout } = await cli.run(['evm', 'run', '--create', '60016000a0' + '6002600cf3'])
    expect(stdout).toMatch(/^created: {2}0x[0-9a-f]{40}$/m)
    expect(stdout).toMatch(/^log: {6}0x[0-9a-f]{40} 0x00$/m)
  })

  test('the fork decides what is known', async () => {
    const run = async (fork: string) => (await cli.run(['evm', 'run', `--fork=${fork}`, '5f'])).stdout
    expect(await run('shanghai')).toContain('ended by: stop')
    expect(await run('PARIS')).toContain('ended by: invalidOpcode')
  })

  test('runs on a genesis file, by its rules', async () => {
    const receiver = '22'.repeat(20)
    // Returns slot 1, the chain id and the block's difficulty.
    const account = {
      balance: '0',
      code: '0x60015460005246602052446040526060' + '6000f3',
      storage: { '0x01': '0x2a' },
    }
    const genesis = {
      config: { chainId: 77, londonBlock: 0 },
      difficulty: '0x7',
      gasLimit: '0x1000',
      alloc: { [receiver]: account },
    }
    cli.write('genesis.json', JSON.stringify(genesis))
    const run = (...args: string[]) => cli.run(['evm', 'run', '--prestate={dir}/genesis.json', ...args])
    const { stdout } = await run(`--receiver=${receiver}`)
    const words = ['2a', '4d', '7'].map((word) => word.padStart(64, '0'))
    expect(stdout).toContain(`output:   0x${words.join('')}\n`)
    expect((await run('5f')).stdout).toContain('ended by: invalidOpcode')
  })

  test.each([
    ['no code', [], 2, /^Missing bytecode/],
    ['code twice', ['00', '--code-file={dir}/code'], 2, /^Pass the bytecode either/],
    ['too much', ['00', '01'], 2, /^Unmatched argument at index 3: '01'/],
    ['no hexadecimal', ['xy'], 1, /^The bytecode is not hexadecimal/],
    ['no such file', ['--code-file={dir}/none'], 1, /^Unable to read {dir}\/none/],
    ['no such fork', ['--fork=rome', '00'], 2, /^Invalid value for option '--fork': expected one of/],
  ])('refuses %s', async (_, args, code, message) => {
    const outcome = await cli.run(['evm', 'run', ...args])
    expect([outcome.code, outcome.stdout]).toEqual([code, ''])
    expect(outcome.stderr).toMatch(message)
  })
})

const zeros = (bytes: number) => `0x${'00'.repeat(bytes)}`

describe('statetest', () => {
  /** Stores a one and emits an empty log; the root is go-ethereum's. */
  const stateTest = {
    env: {
      currentBaseFee: '0x0a',
      currentCoinbase: '0x00000000000000000000000000000000000000fe',
      currentDifficulty: '0x0',
      currentExcessBlobGas: '0x0',
      currentGasLimit: '0x1c9c380',
      currentNumber: '0x1',
      currentRandom: zeros(32),
      currentTimestamp: '0x3e8',
    },
    pre: {
      '0xa94f5374fce5edbc8e2a8697c15331677e6ebf0b': {
        balance: '0xde0b6b3a7640000',
        nonce: '0x0',
        code: '0x',
        storage: {},
      },
      '0x000000000000000000000000000000000000c0de': {
        balance: '0x0',
        nonce: '0x1',
        code: '0x60016000555f5fa0',
        storage: {},
      },
    },
    transaction: {
      data: ['0x'],
      gasLimit: ['0x186a0'],
      gasPrice: '0x0a',
      nonce: '0x0',
      secretKey: '0x45a915e4d060149eb4365960e6a7a45f334393093061116b197e3240065ff2d8',
      to: '0x000000000000000000000000000000000000c0de',
      value: ['0x0'],
    },
    post: {
      Cancun: [
        {
          hash: '0xd4d3ae716f38bf80ee90d52cdbb5934dba7f7398f14ba26d0290b6657de1d8e5',
          logs: '0xa2a40a8d14baaaec34e773738270fb504bc402704d37944f78264fff4d626173',
          indexes: { data: 0, gas: 0, value: 0 },
        },
      ],
    },
  }

  test('passes, and fails for another fork that gives another root', async () => {
    cli.write('good.json', JSON.stringify({ storing: stateTest }))
    const good = await cli.run(['evm', 'statetest', '{dir}/good.json'])
    expect([good.code, good.stdout]).toEqual([0, '1 passed, 0 failed\n'])
    cli.write('bad.json', JSON.stringify({ storing: { ...stateTest, post: { Paris: stateTest.post.Cancun } } }))
    const bad = await cli.run(['evm', 'statetest', '{dir}/good.json', '{dir}/bad.json'])
    expect(bad.code).toBe(1)
    expect(bad.stdout).toMatch(/^failed: storing d0g0v0 Paris: .+\n1 passed, 1 failed\n$/)
  })

  test('verdicts as JSON', async () => {
    cli.write('good.json', JSON.stringify({ storing: stateTest }))
    const { stdout } = await cli.run(['evm', 'statetest', '--json', '{dir}/good.json'])
    expect(JSON.parse(stdout)).toEqual([{ name: 'storing d0g0v0', fork: 'Cancun', pass: true }])
  })

  test.each([
    ['no file', [], 2, /^Missing required parameter: '<FILE>\.\.\.'\n$/],
    ['a file that is not there', ['{dir}/none'], 1, /^Unable to read {dir}\/none/],
    ['a file that is no JSON', ['{dir}/text'], 1, /^{dir}\/text is not JSON/],
    ['a file without tests', ['{dir}/empty'], 1, /^{dir}\/empty has no tests\n$/],
    [
      'tests of another kind',
      ['{dir}/other'],
      1,
      /^one in {dir}\/other is no such test: it has no env, pre, post, transaction\n$/,
    ],
  ])('refuses %s', async (_, files, code, message) => {
    cli.write('text', '{')
    cli.write('empty', '{}')
    cli.write('other', '{"one":{}}')
    const outcome = await cli.run(['evm', 'statetest', ...files])
    expect([outcome.code, outcome.stdout]).toEqual([code, ''])
    expect(outcome.stderr).toMatch(message)
  })
})

describe('blocktest', () => {
  const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
  const hash = '0xa0c33722454e88051aacd3f242b7c6a857327c523dee4c03c7272e976a372343'
  /** A genesis block of an empty state and a block that is none. */
  const blockTest = {
    network: 'Berlin',
    genesisBlockHeader: {
      bloom: zeros(256),
      coinbase: zeros(20),
      difficulty: '0x20000',
      extraData: '0x',
      gasLimit: '0x1000000',
      gasUsed: '0x0',
      hash,
      mixHash: zeros(32),
      nonce: zeros(8),
      number: '0x0',
      parentHash: zeros(32),
      receiptTrie: emptyRoot,
      stateRoot: emptyRoot,
      timestamp: '0x0',
      transactionsTrie: emptyRoot,
      uncleHash: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
    },
    pre: {},
    postState: {},
    blocks: [{ rlp: '0xc0', expectException: 'RLP_TooFewElements' }],
    lastblockhash: hash,
  }

  test('passes, and fails when a block is refused for another reason', async () => {
    cli.write('good.json', JSON.stringify({ refusing: blockTest }))
    const good = await cli.run(['evm', 'blocktest', '{dir}/good.json'])
    expect([good.code, good.stdout]).toEqual([0, '1 passed, 0 failed\n'])
    const blocks = [{ rlp: '0xc0', expectException: 'BlockException.UNKNOWN_PARENT' }]
    cli.write('bad.json', JSON.stringify({ refusing: { ...blockTest, blocks } }))
    const bad = await cli.run(['evm', 'blocktest', '{dir}/bad.json'])
    expect(bad.code).toBe(1)
    expect(bad.stdout).toMatch(/^failed: refusing Berlin: block 0 .+UNKNOWN_PARENT\n0 passed, 1 failed\n$/)
  })
})
