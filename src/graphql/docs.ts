import {
  type GraphQLArgument,
  type GraphQLNamedType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql'
import { createSchema } from './schema.ts'

const address = '0xfe3b557e8fb62b89f4916b721be55ceb828dbd73'

/** A query for each root field that works on a new development network. */
export const examples: Readonly<Record<string, string>> = {
  account: `{ account(address: "${address}") { balance code } }`,
  block: '{ block(number: 0) { number hash timestamp gasLimit transactions { hash } } }',
  blocks: '{ blocks(from: 0, to: 10) { number transactionCount } }',
  chainID: '{ chainID }',
  gasPrice: '{ gasPrice }',
  logs: '{ logs(filter: { fromBlock: 0, topics: [] }) { index topics data account { address } transaction { hash } } }',
  maxPriorityFeePerGas: '{ maxPriorityFeePerGas }',
  pending: '{ pending { transactionCount transactions { hash } } }',
  protocolVersion: '{ protocolVersion }',
  syncing: '{ syncing { startingBlock currentBlock highestBlock } }',
  transaction: `{ transaction(hash: "0x${'00'.repeat(32)}") { status gasUsed logs { data } } }`,
}

const introduction = `# GraphQL

<!-- Generated from the schema by \`npm run docs\`; do not edit. -->

Queries are served at \`/graphql\`, on 127.0.0.1:8547 unless set by \`--graphql-http-host\` and \`--graphql-http-port\`. The server
is enabled on the DEV network; on other networks, \`--graphql-http-enabled\` enables it. In a browser, the address shows
GraphiQL.

\`\`\`sh
quoin
\`\`\`

\`\`\`sh
curl -s http://127.0.0.1:8547/graphql -H 'Content-Type: application/json' --data '{"query":"{ block { number hash } }"}'
\`\`\`

A request is a POST of JSON with \`query\` and optionally \`variables\` and \`operationName\`, a POST of any other content type, whose
body is the query, or a GET with the same three parameters. Each request reads one snapshot of the chain.

## Numbers

A \`Long\` is a JSON integer; with \`--graphql-long-as-hex\` it is a hex string, as in newer versions of Besu and geth. A \`BigInt\`
and the timestamp of a block are always hex strings. Arguments are accepted in each form: \`30\`, \`"30"\`, \`"0x1e"\`.

## Errors

A response without errors has status 200. With \`errors\` it has status 400, even if it contains \`data\`; the response to a
malformed request has status 400 and a \`result\` with the reason. Each error has a \`message\`, \`locations\` and a \`path\` if known,
and \`extensions\` with a \`classification\` and, for errors that have a code, \`errorCode\` and \`errorMessage\`.

## Limits

A query may have 15,000 tokens, a million characters and a complexity of 200: each field counts 1, \`Transaction.block\` and
\`__Type.fields\` count 100. A response is limited to about 500,000 values and 5 seconds, a request to 10 MB. Tools can query the
whole schema.

## Where Quoin differs from Besu 23.10

- A \`Long\` is a JSON integer unless \`--graphql-long-as-hex\` is set. Variables of that type may be JSON integers, too.
- The root fields \`account\` and \`protocolVersion\` of earlier versions of Besu are supported.
- An account that does not exist is empty; Besu returns errors for some of its fields.
- Amounts in \`CallData\` work, and \`topics\` of a filter is optional.
- \`sendRawTransaction\` accepts typed transactions both plain and wrapped in an RLP byte string.
- The state of a block that is pruned or not canonical is an error; Besu returns the state of another block.
- Pages from the server's own origin are allowed.`

function argumentsOf(args: readonly GraphQLArgument[]): string {
  return args.length === 0 ? '' : `(${args.map(({ name, type }) => `${name}: ${type}`).join(', ')})`
}

function section(type: GraphQLNamedType): string {
  const about = type.description ? `${type.description}\n\n` : ''
  if (isScalarType(type)) return `### ${type.name}\n\n${about.trim()}`
  if (!isObjectType(type) && !isInputObjectType(type)) return ''
  const rows = Object.values(type.getFields()).map((field) => {
    const args = 'args' in field ? argumentsOf(field.args) : ''
    return `| \`${field.name}${args}\` | \`${field.type}\` | ${field.description ?? ''} |`
  })
  return `### ${type.name}\n\n${about}| Field | Type | |\n| --- | --- | --- |\n${rows.join('\n')}`
}

/** The text of docs/graphql.md. */
export function graphqlPage(): string {
  const types = Object.values(createSchema(false).getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
  )
  const rows = Object.entries(examples).map(([name, query]) => `| \`${name}\` | \`${query}\` |`)
  return `${[
    introduction,
    '## Examples',
    `| Root field | Query |\n| --- | --- |\n${rows.join('\n')}`,
    '## Schema',
    ...types.map(section),
  ].join('\n\n')}\n`
}
