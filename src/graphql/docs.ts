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

<!-- Made from the schema by \`npm run docs\`; do not edit. -->

Queries go to \`/graphql\`, at 127.0.0.1:8547 unless \`--graphql-http-host\` and \`--graphql-http-port\` say otherwise. On the
development network the server is on; elsewhere \`--graphql-http-enabled\` turns it on. A browser that opens the address gets a
page to ask from.

\`\`\`sh
curl -s http://127.0.0.1:8547/graphql -H 'Content-Type: application/json' --data '{"query":"{ block { number hash } }"}'
\`\`\`

A request is a POST of JSON with \`query\` and, where needed, \`variables\` and \`operationName\`; a POST of anything else, which is
taken as the text of a query; or a GET with the same three as parameters. Each request reads one snapshot of the chain.

## Numbers

A \`Long\` is a JSON integer; with \`--graphql-long-as-hex\` it is a hex string, as newer versions of Besu and geth write it. A
\`BigInt\`, and the timestamp of a block, is a hex string always. Arguments are taken in every form: \`30\`, \`"30"\`, \`"0x1e"\`.

## Errors

An answer without errors has status 200. With \`errors\` it has status 400, also when there is \`data\` beside them; a request that
cannot be read gets 400 with a \`result\` that says why. Each error has a \`message\`, where it can be said \`locations\` and a
\`path\`, and \`extensions\` with a \`classification\` and, for what has a number, \`errorCode\` and \`errorMessage\`.

## Limits

A query may have 15,000 tokens, a million characters and a complexity of 200: each field counts 1, \`Transaction.block\` and
\`__Type.fields\` count 100. What an answer costs is bounded too: about 500,000 values and 5 seconds. Tools may ask for the whole
schema. A request may have 10 MB.

## Where Quoin differs from Besu 23.10

- A \`Long\` is a JSON integer unless \`--graphql-long-as-hex\` is given. Variables of that type may be JSON integers too.
- The root fields \`account\` and \`protocolVersion\`, which Besu had before, are there.
- An account that does not exist is empty; Besu fails on some of its fields.
- Amounts in \`CallData\` work, and a filter may leave out \`topics\`.
- \`sendRawTransaction\` takes typed transactions as they are, and also wrapped into an RLP string.
- The state of a block that is not on the canonical chain, or was pruned, is an error and not that of another block.
- Pages of the server's own origin may ask it.`

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
