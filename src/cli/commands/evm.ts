import { readFileSync } from 'node:fs'
import { failed, usage } from '../../config/fault.ts'
import { option, unset } from '../../config/option.ts'
import { address, bigInteger, boolean, hexData, oneOf, path, wei } from '../../config/values.ts'
import type { Verdict } from '../../evmtool/testFiles.ts'
import { forks } from '../../forks/table.ts'
import { type Address, emptyBytes } from '../../primitives/bytes.ts'
import { fromHex } from '../../primitives/hex.ts'
import { bigIntToFixed } from '../../primitives/u256.ts'
import { command, commandGroup, type Operand } from '../command.ts'
import type { Io } from '../io.ts'

const forkNames = forks.map(({ name }) => name)
const anySize = Number.MAX_SAFE_INTEGER
const small = (n: number): Address => bigIntToFixed(BigInt(n), 20) as Address

const run = command(
  'run',
  'Run bytecode and show its output and gas used, without the intrinsic gas of a transaction.',
  {
    'code-file': option(path('FILE'), unset(), 'command', 'File with the bytecode in hexadecimal.'),
    create: option(boolean, false, 'command', 'Treat the bytecode as init code and create a contract.'),
    input: option(hexData(anySize), emptyBytes, 'command', 'Call data, or constructor arguments after the init code.'),
    gas: option(bigInteger, 30_000_000n, 'command', 'Gas limit.'),
    value: option(wei, 0n, 'command', 'Value to send in wei; the sender is funded if needed.'),
    sender: option(address, small(0xcafe), 'command', 'Caller.'),
    receiver: option(address, small(0xc0de), 'command', 'Account that has the bytecode and is called.'),
    fork: option(
      { ...oneOf(forkNames, 'any case'), label: 'FORK' },
      unset("the prestate's fork at block 0, else the latest"),
      'command',
      `Fork: ${forkNames.join(', ')}.`,
    ),
    prestate: option(path('FILE'), unset('empty state'), 'command', 'Genesis file with the state to run on.'),
    trace: option(boolean, false, 'command', 'Print every step as a line of JSON (EIP-3155).'),
    json: option(boolean, false, 'command', 'Print the result as a line of JSON.'),
  },
  async ({ 'code-file': codeFile, prestate, ...values }, { io, operands }) => {
    const code = readCode(operands[0], codeFile)
    if (!code && (prestate === undefined || values.create))
      throw usage(
        'Missing bytecode: pass it as a parameter, with --code-file, or as the code of --receiver in --prestate',
      )
    // Loaded only here: other commands do not need the EVM.
    const { formatResult, runCode } = await import('../../evmtool/runCode.ts')
    const { parseGenesisFile } = await import('../../forks/genesisFile.ts')
    const result = runCode({
      ...values,
      code,
      prestate: prestate === undefined ? undefined : parseGenesisFile(readText(prestate)),
      onTrace: values.trace ? (line) => io.stdout(line + '\n') : undefined,
    })
    io.stdout(formatResult(result, values.json) + '\n')
    return 0
  },
  { label: 'CODE', doc: 'Bytecode in hexadecimal.', arity: 'optional' },
)

const files: Operand = { label: 'FILE', doc: 'Files in the format of ethereum/tests.', arity: 'some' }
const verdictOptions = { json: option(boolean, false, 'command', 'Print the result of every test as JSON.') }

const statetest = command(
  'statetest',
  'Run state tests and compare state roots and logs.',
  verdictOptions,
  async ({ json }, { io, operands }) => {
    const { stateVerdicts } = await import('../../evmtool/testFiles.ts')
    return reportVerdicts(io, json, stateVerdicts(operands.map(readJson)))
  },
  files,
)

const blocktest = command(
  'blocktest',
  'Run blockchain tests: import their blocks, check that invalid ones are rejected for the right reason, and compare heads and states.',
  verdictOptions,
  async ({ json }, { io, operands }) => {
    const { blockVerdicts } = await import('../../evmtool/testFiles.ts')
    return reportVerdicts(io, json, blockVerdicts(operands.map(readJson)))
  },
  files,
)

/** `evm run`, `evm statetest` and `evm blocktest`. */
export const evm = commandGroup('evm', 'Run bytecode and EVM tests.', [run, statetest, blocktest])

/** Shows failures and a count, or everything as JSON; gives the exit code. */
function reportVerdicts(io: Io, json: boolean, verdicts: Iterable<Verdict>): number {
  const all: Verdict[] = []
  for (const one of verdicts) {
    all.push(one)
    if (!one.pass && !json) io.stdout(`failed: ${one.name} ${one.fork}: ${one.error}\n`)
  }
  const failures = all.filter(({ pass }) => !pass).length
  io.stdout(json ? JSON.stringify(all, undefined, 2) + '\n' : `${all.length - failures} passed, ${failures} failed\n`)
  return failures === 0 ? 0 : 1
}

function readCode(operand: string | undefined, file: string | undefined): Uint8Array | undefined {
  if (operand !== undefined && file !== undefined)
    throw usage('Pass the bytecode either as a parameter or with --code-file')
  const text = operand ?? (file === undefined ? undefined : readText(file).replace(/\s+/g, ''))
  if (text === undefined) return undefined
  try {
    return fromHex(text)
  } catch (error) {
    throw failed(`The bytecode is not hexadecimal: ${(error as Error).message}`, error)
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw failed(`Unable to read ${file}. ${(error as Error).message}`, error)
  }
}

function readJson(file: string): { file: string; json: unknown } {
  try {
    return { file, json: JSON.parse(readText(file)) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw failed(`${file} is not JSON. ${error.message}`, error)
  }
}
