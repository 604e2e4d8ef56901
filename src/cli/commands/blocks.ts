import { usage } from '../../config/fault.ts'
import { option, required, unset } from '../../config/option.ts'
import { boolean, integer, list, natural, oneOf, path } from '../../config/values.ts'
import { command, commandGroup } from '../command.ts'
import { interruptible } from '../interruptible.ts'

/** Any integer; negative ones are rejected later, with Besu's message. */
const blockNumber = integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)

const importBlocks = command(
  'import',
  'Import blocks from files. Known blocks are skipped, so that an import can be resumed.',
  {
    from: option(list(path('FILE')), [], 'command', 'Files to import, in addition to the parameters.'),
    format: option(
      oneOf(['RLP', 'JSON'], 'any case'),
      'RLP',
      'command',
      'RLP: concatenated blocks, optionally compressed with gzip. JSON: transactions to make blocks from.',
    ),
    'start-block': option(blockNumber, 0, 'command', 'First block to import from RLP files.'),
    'end-block': option(
      blockNumber,
      unset('all'),
      'command',
      'Block before which the import from RLP files ends (exclusive).',
    ),
    'start-time': option(
      natural,
      unset('now'),
      'command',
      'Timestamp of the first block made from JSON, in seconds since 1970; each further block is one second later.',
    ),
    'skip-pow-validation-enabled': option(boolean, false, 'command', 'Skip proof of work validation.'),
    run: option(boolean, false, 'command', 'Start the node after the import.'),
  },
  async (values, call) => {
    const files = [...call.operands, ...values.from]
    if (files.length === 0) throw usage('No files specified to import.')
    if (values.format === 'JSON' && values['skip-pow-validation-enabled'])
      throw usage("Can't skip proof of work validation for JSON blocks")
    const range = checkRange(values['start-block'], values['end-block'])
    const { runImport } = await import('../runImport.ts')
    const { format, run } = values
    const time = values['start-time']
    const finished = await interruptible((stop) =>
      runImport(call, {
        files,
        format,
        ...range,
        startTime: time === undefined ? undefined : BigInt(time),
        checkWork: !values['skip-pow-validation-enabled'],
        stop,
      }),
    )
    if (finished && run) {
      const { startNode } = await import('../../node/startNode.ts')
      await startNode(call.config)
    }
    return finished ? 0 : 1
  },
  { label: 'FILE', doc: 'Files to import.', arity: 'any' },
)

const exportBlocks = command(
  'export',
  'Export the blocks of the canonical chain to a file, as concatenated RLP.',
  {
    to: option(path('FILE'), required, 'command', 'File to write; compressed with gzip if its name ends in .gz.'),
    format: option(oneOf(['RLP'], 'any case'), 'RLP', 'command', 'Format of the file.'),
    'start-block': option(
      blockNumber,
      unset('0'),
      'command',
      'First block to export. If set, blocks are appended to an existing file.',
    ),
    'end-block': option(blockNumber, unset('all'), 'command', 'Block before which the export ends (exclusive).'),
  },
  async (values, call) => {
    const start = values['start-block']
    const range = checkRange(start ?? 0, values['end-block'])
    const { runExport } = await import('../runExport.ts')
    const finished = await interruptible((stop) =>
      runExport(call, { to: values.to, append: start !== undefined, ...range, stop }),
    )
    return finished ? 0 : 1
  },
)

/** `blocks import` and `blocks export`. */
export const blocks = commandGroup('blocks', 'Import and export blocks.', [importBlocks, exportBlocks])

function checkRange(start: number, end: number | undefined): { startBlock: bigint; endBlock: bigint | undefined } {
  if (start < 0) throw usage(`Parameter --start-block (${start}) must be greater than or equal to zero.`)
  if (end !== undefined && end <= start)
    throw usage(`Parameter --end-block (${end}) must be greater start block (${start}).`)
  return { startBlock: BigInt(start), endBlock: end === undefined ? undefined : BigInt(end) }
}
