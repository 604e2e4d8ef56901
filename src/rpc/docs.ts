import { callText } from '../jsonrpc/remoteCall.ts'
import type { Schema } from './codecs/codec.ts'
import { methods } from './methods/all.ts'
import { type Method, namespaceOf } from './protocol/method.ts'

/** The text of docs/rpc.md. */
export function rpcPage(): string {
  return (
    [
      '# JSON-RPC',
      '<!-- Generated from the methods in src/rpc by `npm run docs`; do not edit. -->',
      'Methods are served over HTTP (`--rpc-http-enabled`, port 8545), over WebSocket (`--rpc-ws-enabled`, port 8546) and over IPC (`--ipc-path`). A ' +
        'namespace, the part of a name before `_`, is enabled with `--rpc-http-api` and `--rpc-ws-api`; ETH, NET and WEB3 are ' +
        'enabled by default, on the DEV network also ANVIL, DEBUG, EVM, HARDHAT, MINER, OTS, TRACE and TXPOOL; methods of other ' +
        'namespaces return -32604. ANVIL, EVM and HARDHAT are for tests and exist on the DEV network only. `eth_subscribe` and `eth_unsubscribe` are ' +
        'available on WebSocket and IPC only. `rpc_discover` returns this page as an OpenRPC document.',
      'The examples work with a node that was started without options; those of other namespaces answer -32604 there:',
      '```sh\nquoin\n```',
      '<!-- errors -->',
      '## Numbers, bytes and blocks',
      conventions,
      '## Errors',
      'Every method returns -32602 for invalid parameters and -32603 for an internal error. HTTP responses with -32700 and ' +
        '-32600 have status 400, all others 200.',
      '## Tracers',
      tracers,
      '## Where Quoin differs from Besu 23.10',
      differences,
      ...spaces().flatMap(([space, members]) => [`## ${space}`, ...members.map(methodText)]),
    ].join('\n\n') + '\n'
  )
}

const conventions = [
  '- Quantities in results are `0x` and hexadecimal digits without leading zeros. Block numbers, gas and indexes in ' +
    'parameters are hexadecimal after `0x`, otherwise decimal (even with a leading zero), or JSON integers.',
  '- Amounts in wei are hexadecimal with or without `0x`, or JSON integers.',
  '- Bytes are hexadecimal, `0x` is optional. Short addresses are padded with zeros on the left.',
  '- A block is a number or one of `latest`, `earliest`, `pending`, `finalized`, `safe`. `pending` is the latest block, ' +
    'except in eth_getTransactionCount. Methods that accept a block hash also accept an object (EIP-1898): ' +
    '`{"blockHash": "0x…", "requireCanonical": true}` or `{"blockNumber": "0x1"}`.',
  '- Additional parameters are ignored, except where it says "exactly".',
].join('\n')

const tracers = [
  'Without `tracer`, debug_trace… methods return the steps of the EVM: `gas`, `failed`, `returnValue` and `structLogs`; ' +
    '`disableStack`, `disableMemory` (or `enableMemory: false`) and `disableStorage` leave parts out, `limit` shows so many steps of a ' +
    'transaction. With `tracer` they return what that tracer ' +
    'of geth returns, and `tracerConfig` has its options. debug_traceBlock, debug_traceBlockByHash and ' +
    'debug_traceBlockByNumber then return `[{"txHash": "0x…", "result": …}, …]`.',
  table(
    ['`tracer`', 'Returns', '`tracerConfig`'],
    [
      [
        '`callTracer`',
        'the calls as a tree, with gas, input, output, error and revert reason',
        '`onlyTopCall`: without inner calls; `withLog`: with the logs of each call',
      ],
      [
        '`prestateTracer`',
        'the accounts that the transaction touches, as they were before it',
        '`diffMode`: also as they are after it, and only what changed; `disableCode`, `disableStorage`: without them; `includeEmpty`: also accounts ' +
          'that did not exist',
      ],
      [
        '`flatCallTracer`',
        'the calls as a list, in the form of trace_transaction',
        '`convertParityErrors`: errors as there; `includePrecompiles`: with calls of precompiles',
      ],
      [
        '`erc7562Tracer`',
        'the calls as a tree, with the opcodes, slots and contracts that each used: what bundlers of user operations check',
        '`withLog`; `ignoredOpcodes`: opcodes that are not counted, such as `["0x01"]`, instead of those that only compute',
      ],
      ['`keccak256PreimageTracer`', 'what was hashed, by its hash', ''],
      ['`4byteTracer`', 'how often each function selector was called, by length of its arguments', ''],
      [
        '`muxTracer`',
        'what several tracers return, by their names',
        'a member for each tracer, with its own `tracerConfig`',
      ],
      [
        '`unigramTracer`, `bigramTracer`, `trigramTracer`',
        'how often each opcode, each pair and each triple of them came; as of geth, in JavaScript',
        '',
      ],
      ['`opcountTracer`', 'the number of steps', ''],
      ['`evmdisTracer`', 'what the disassembler evmdis reads', ''],
      ['`noopTracer`', '`{}`', ''],
      ['`{ step: function(log, db) { … }, … }`', 'what `result` returns', 'handed to `setup` as JSON text'],
    ],
  ),
  'Answers have the form of geth 1.17. An object in JavaScript is a tracer of your own, with the functions, values and helpers that geth gives its own: `setup`, `step`, ' +
    '`fault`, `enter`, `exit`, `result`; `log`, `db`, `ctx`, `toHex`, `toWord`, `toAddress`, `toContract`, `toContract2`, `isPrecompiled`, ' +
    '`slice`, `bigInt`. It runs in a reader, in an interpreter of its own that sees nothing else, with 128 MB of memory and, for each ' +
    'transaction, 5 seconds or the `timeout` of the options (such as `10s`, at most 20 seconds for a whole request). A tracer that ' +
    'throws or takes longer ends with the error -32000, "Tracer failed: …"; in the list of a block the transaction then has ' +
    '`error` instead of `result`.',
  'debug_traceCall also takes `stateOverrides` and `blockOverrides` in its options. Other members, such as `reexec`, are ignored.',
].join('\n\n')

const differences = [
  '- `eth_call` checks balances and gas prices only with `strict: true`.',
  '- JSON integers are accepted as block numbers; numbers with a leading zero are decimal, not octal.',
  '- Log filters accept `addresses` as another name of `address`.',
  '- `eth_getMinerDataBy…` returns quantities, not padded to 32 bytes.',
  '- For some invalid parameters, Besu returns the internal error -32603; Quoin returns -32602 with an explanation: ' +
    'negative block numbers and limits, an empty string as a boolean, invalid storage keys, a null percentile, an empty ' +
    'transaction. eth_getWork returns "No mining work available yet" on every network. Invalid JSON over WebSocket is ' +
    '-32700, as over HTTP.',
  '- A JSON-RPC notification over WebSocket gets no response; Besu sends an object.',
  '- Methods that Besu 23.10 does not have: eth_baseFee, eth_blobBaseFee, eth_callMany, eth_capabilities, eth_config, ' +
    'eth_getAccountInfo, eth_getBlockAccessList, eth_getHeaderByHash, eth_getHeaderByNumber, eth_getRawTransactionBy…, eth_getStorageValues, ' +
    'eth_getTransactionBySenderAndNonce, eth_maxPriorityFeePerGas, eth_simulateV1, miner_getExtraData, miner_setExtraData, ' +
    'rpc_discover, trace_replayTransaction, txpool_content, txpool_contentFrom, txpool_inspect, txpool_status, those of ANVIL, EVM, HARDHAT and OTS; and state overrides as the third ' +
    'parameter of eth_call.',
  '- Members that Besu 23.10 does not have: from Prague on `blockTimestamp` of transactions and logs, ' +
    '`baseFeePerBlobGas` and `blobGasUsedRatio` of eth_feeHistory; `inbound` in admin_peers, `activeFork` in ' +
    'admin_nodeInfo. What else versions 25 and 26 return in another way, and why Quoin does not, is in ' +
    '[moving-from-besu.md](moving-from-besu.md#answers-of-json-rpc).',
  '- `…_getSignerMetrics` without an end counts the head too; Besu leaves it out.',
  '- debug_traceBlock, debug_traceBlockByHash and debug_traceBlockByNumber with a `tracer` return the form of geth.',
  '- `safe` and `finalized` are the head on IBFT 2.0, QBFT and development networks, where every block is final.',
  '- Calls may have both `data` and `input` if they are equal. Filters of logs ignore members that they do not know.',
  '- The error of a reverted call has the code 3 on the DEV network, as in geth, and elsewhere with `--rpc-revert-format=GETH`.',
  '- `eth_estimateGas` returns only gas that was seen to be enough.',
].join('\n')

function spaces(): [string, Method[]][] {
  const found = new Map<string, Method[]>()
  for (const one of methods) {
    const space = namespaceOf(one.name)
    found.set(space, [...(found.get(space) ?? []), one])
  }
  return [...found]
}

function methodText(one: Method): string {
  const parts = [`### ${one.name}`, one.doc]
  if (one.params.length) parts.push(paramTable(one))
  parts.push(`Result: ${describe(one.result)}.`)
  if (one.errors.length) parts.push(one.errors.map(([code, when]) => `- ${code}: ${when}`).join('\n'))
  parts.push(one.needs.includes('session') ? wsExample(one) : curlExample(one))
  return parts.join('\n\n')
}

function paramTable({ params, fixedCount }: Method): string {
  const rows = params.map(({ name, schema, required }) => [name, describe(schema), required ? 'yes' : 'no'])
  const text = table(['Parameter', 'Type', 'Required'], rows)
  return fixedCount
    ? `${text}\n\nExactly ${params.length === 1 ? 'one parameter' : `${params.length} parameters`}.`
    : text
}

/** A Markdown table with aligned columns. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]!.length)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

/** A short description of a schema, with the members of objects in braces. */
function describe(schema: Schema): string {
  const { title, type, items, properties, oneOf, additionalProperties } = schema
  if (oneOf) {
    const kinds = (oneOf as Schema[]).map(describe)
    return typeof title === 'string' ? title : kinds.join(' or ')
  }
  if (type === 'array') return `array of ${items ? describe(items as Schema) : 'values'}`
  if (additionalProperties) return `object with values of ${describe(additionalProperties as Schema)}`
  const members = properties ? ` {${Object.keys(properties as object).join(', ')}}` : ''
  const name = typeof title === 'string' ? title : Array.isArray(type) ? type.join(' or ') : String(type ?? 'any value')
  return name + members
}

function request({ name, example }: Method): string {
  return callText(name, example)
}

function curlExample(one: Method): string {
  return ['```sh', `curl -s http://127.0.0.1:8545 --data '${request(one)}'`, '```'].join('\n')
}

function wsExample(one: Method): string {
  return ['```sh', `npx wscat -c ws://127.0.0.1:8546 -w 10 -x '${request(one)}'`, '```'].join('\n')
}
