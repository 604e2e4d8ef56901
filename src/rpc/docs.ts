import type { Schema } from './codecs/codec.ts'
import { methods } from './methods/all.ts'
import { type Method, namespaceOf } from './protocol/method.ts'

/** The text of docs/rpc.md. */
export function rpcPage(): string {
  return (
    [
      '# JSON-RPC',
      '<!-- Made from the methods in src/rpc by `npm run docs`; do not edit. -->',
      'Methods are served over HTTP (`--rpc-http-enabled`, port 8545) and over WebSocket (`--rpc-ws-enabled`, port 8546). A ' +
        'namespace, the part of a name before `_`, is switched on with `--rpc-http-api` and `--rpc-ws-api`; ETH, NET and WEB3 ' +
        'are on by default, and a method of another one answers -32604. `eth_subscribe` and `eth_unsubscribe` exist on ' +
        'WebSocket only. `rpc_discover` gives this page as an OpenRPC document.',
      'The examples run against `quoin --rpc-http-api=ETH,MINER,NET,TXPOOL,WEB3` with no further options.',
      '## Numbers, bytes and blocks',
      conventions,
      '## Errors',
      'Every method answers -32602 to parameters that it cannot read, -32603 when it fails by a fault of its own. -32700 and ' +
        '-32600 come with HTTP status 400, all others with 200.',
      '## Where Quoin differs from Besu 23.10',
      differences,
      ...spaces().flatMap(([space, members]) => [`## ${space}`, ...members.map(methodText)]),
    ].join('\n\n') + '\n'
  )
}

const conventions = [
  '- A quantity is written as `0x` and hexadecimal digits without leading zeros. Block numbers, gas and indexes are read as ' +
    'hexadecimal after `0x`, otherwise as decimal, also as JSON integers; a leading zero is still decimal.',
  '- Amounts in wei are hexadecimal with or without `0x`, or JSON integers.',
  '- Bytes are hexadecimal, `0x` optional. Addresses may be short: they are padded from the left.',
  '- A block is a number or one of `latest`, `earliest`, `pending`, `finalized`, `safe`. `pending` shows the head, except in ' +
    'eth_getTransactionCount. Where a hash is taken too, it may also stand in an object: ' +
    '`{"blockHash": "0x…", "requireCanonical": true}` or `{"blockNumber": "0x1"}`.',
  '- Parameters beyond those listed are ignored, except where it says "exactly".',
].join('\n')

const differences = [
  '- `eth_call` enforces balances and prices only with `strict: true`.',
  '- A JSON integer is taken as a block number; numbers with a leading zero are decimal, not octal.',
  '- The filter member `addresses` means the same as `address`.',
  '- `eth_getMinerDataBy…` writes plain quantities, not padded to 32 bytes.',
  '- Where Besu answers -32603 because bad input trips it up, Quoin answers -32602 and says what is wrong: negative block ' +
    'numbers and limits, an empty text as a boolean, unreadable storage keys, a null percentile, an empty transaction. ' +
    'eth_getWork says that there is no work, on every network. Invalid JSON over WebSocket is -32700, as over HTTP.',
  '- A notification over WebSocket gets no answer; Besu sends a stray object.',
  '- Methods that Besu 23.10 does not have: eth_baseFee, eth_blobBaseFee, eth_config, eth_getStorageValues, eth_maxPriorityFeePerGas, ' +
    'eth_simulateV1, rpc_discover, txpool_content, txpool_contentFrom, txpool_inspect, txpool_status; and state overrides as the third ' +
    'parameter of eth_call.',
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

function paramTable({ params, exact }: Method): string {
  const rows = params.map(({ name, schema, required }) => [name, describe(schema), required ? 'yes' : 'no'])
  const text = table(['Parameter', 'Type', 'Required'], rows)
  return exact ? `${text}\n\nExactly ${params.length === 1 ? 'one parameter' : `${params.length} parameters`}.` : text
}

/** A table whose columns are as wide as their widest cell, as the formatter wants it. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]!.length)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

/** A schema in a few words, with the members of objects in brackets. */
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
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: example })
}

function curlExample(one: Method): string {
  return ['```sh', `curl -s http://127.0.0.1:8545 --data '${request(one)}'`, '```'].join('\n')
}

function wsExample(one: Method): string {
  return ['```sh', `npx wscat -c ws://127.0.0.1:8546 -w 10 -x '${request(one)}'`, '```'].join('\n')
}
