import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GraphqlChain, openGraphqlChain } from '../../test/support/graphqlChain.ts'

let node: GraphqlChain
beforeAll(() => {
  node = openGraphqlChain()
})
afterAll(() => node.close())

const address = `0x${'00'.repeat(20)}`

/** Query, place and the message behind `Validation error`. */
const complaints: readonly (readonly [string, number, string])[] = [
  ['{nothing}', 2, "(FieldUndefined@[nothing]) : Field 'nothing' in type 'Query' is undefined"],
  ['{block{nothing}}', 8, "(FieldUndefined@[block/nothing]) : Field 'nothing' in type 'Block' is undefined"],
  ['{a:block{b:nothing}}', 10, "(FieldUndefined@[block/nothing]) : Field 'nothing' in type 'Block' is undefined"],
  [
    '{block{...F}} fragment F on Block{nothing}',
    35,
    "(FieldUndefined@[F/nothing]) : Field 'nothing' in type 'Block' is undefined",
  ],
  ['{block(x:1){number}}', 8, "(UnknownArgument@[block]) : Unknown field argument 'x'"],
  ['{account{balance}}', 2, "(MissingFieldArgument@[account]) : Missing field argument 'address'"],
  ['{block}', 2, "(SubselectionRequired@[block]) : Subselection required for type 'Block' of field 'block'"],
  [
    '{gasPrice{x}}',
    2,
    "(SubselectionNotAllowed@[gasPrice]) : Subselection not allowed on leaf type 'BigInt!' of field 'gasPrice'",
  ],
  [
    '{block(number:"zz"){number}}',
    8,
    "(WrongType@[block]) : argument 'number' with value 'StringValue{value='zz'}' is not a valid 'Long' - Value is not any Long : 'StringValue{value='zz'}'",
  ],
  [
    '{block(number:true){number}}',
    8,
    "(WrongType@[block]) : argument 'number' with value 'BooleanValue{value=true}' is not a valid 'Long' - Value is not any Long : 'BooleanValue{value=true}'",
  ],
  [
    '{block(hash:"12"){number}}',
    8,
    "(WrongType@[block]) : argument 'hash' with value 'StringValue{value='12'}' is not a valid 'Bytes32' - Bytes32 value '12' is not prefixed with 0x",
  ],
  [
    '{account(address:"0x12"){balance}}',
    10,
    "(WrongType@[account]) : argument 'address' with value 'StringValue{value='0x12'}' is not a valid 'Address' - Value is not any Address : 'StringValue{value='0x12'}'",
  ],
  [
    '{logs(filter:{topics:[["0x1"],[5]]}){index}}',
    7,
    "(WrongType@[logs]) : argument 'filter.topics[1][0]' with value 'IntValue{value=5}' is not a valid 'Bytes32' - Value is not any Bytes32 : 'IntValue{value=5}'",
  ],
  [
    '{logs(filter:{x:1}){index}}',
    7,
    "(WrongType@[logs]) : argument 'filter' with value 'ObjectValue{objectFields=[ObjectField{name='x', value=IntValue{value=1}}]}' contains a field not in 'FilterCriteria': 'x'",
  ],
  [
    '{logs(filter:5){index}}',
    7,
    "(WrongType@[logs]) : argument 'filter' with value 'IntValue{value=5}' must be an object type",
  ],
  [
    '{logs(filter:null){index}}',
    2,
    "(NullValueForNonNullArgument@[logs]) : Null value for non-null field argument 'filter'",
  ],
  ['{block{...F}}', 8, "(UndefinedFragment@[block]) : Undefined fragment 'F'"],
  ['{chainID} fragment F on Block{number}', 11, "(UnusedFragment) : Unused fragment 'F'"],
  ['{chainID} fragment F on Query{...F}', 11, '(FragmentCycle@[F]) : Fragment cycles not allowed'],
  ['{block{...on Nothing{x}}}', 14, "(UnknownType@[block]) : Unknown type 'Nothing'"],
  [
    '{block{...on Long{x}}}',
    8,
    '(InlineFragmentTypeConditionInvalid@[block]) : Inline fragment type condition is invalid, must be on Object/Interface/Union',
  ],
  [
    '{block{...on Log{data}}}',
    8,
    "(InvalidFragmentType@[block]) : Fragment cannot be spread here as objects of type 'Block' can never be of type 'Log'",
  ],
  ['{block(number:$n){number}}', 15, "(UndefinedVariable@[block]) : Undefined variable 'n'"],
  ['query($n:Long){chainID}', 7, "(UnusedVariable) : Unused variable 'n'"],
  [
    'query($n:Block){block(number:$n){number}}',
    7,
    "(NonInputTypeOnVariable) : Input variable 'n' type 'Block' is not an input type",
  ],
  [
    'query($n:Long="x"){block(number:$n){number}}',
    7,
    "(BadValueForDefaultArg) : Bad default value 'StringValue{value='x'}' for type 'Long'",
  ],
  [
    'query($n:Bytes){block(number:$n){number}}',
    30,
    "(VariableTypeMismatch@[block]) : Variable 'n' of type 'Bytes' used in position expecting type 'Long'",
  ],
  ['{chainID @nothing}', 10, "(UnknownDirective@[chainID]) : Unknown directive 'nothing'"],
  ['query @skip(if:true){chainID}', 7, "(MisplacedDirective) : Directive 'skip' not allowed here"],
  ['{chainID @skip}', 10, "(MissingDirectiveArgument@[chainID]) : Missing directive argument 'if'"],
  [
    '{block(number:1,number:2){hash}}',
    2,
    "(DuplicateArgumentNames@[block]) : There can be only one argument named 'number'",
  ],
  ['{chainID} {gasPrice}', 11, '(LoneAnonymousOperationViolation) : Anonymous operation with other operations'],
  [
    '{chainID} query B{chainID}',
    11,
    "(LoneAnonymousOperationViolation) : Operation 'B' is following anonymous operation",
  ],
  ['query A{chainID} query A{chainID}', 18, "(DuplicateOperationName) : There can be only one operation named 'A'"],
  ['{x:chainID x:gasPrice}', 2, "(FieldsConflict) : 'x' : 'chainID' and 'gasPrice' are different fields"],
  [
    `{account(address:"${address}"){code} account(address:"0x${'01'.repeat(20)}"){code}}`,
    2,
    "(FieldsConflict) : 'account' : fields have different arguments",
  ],
  ['type X{a:Int} query{chainID}', 1, "(NonExecutableDefinition) : Type 'X' definition is not executable"],
]

test.each(complaints)('%s', async (query, column, text) => {
  const { status, body } = await node.ask(query)
  expect(status).toBe(400)
  expect((body as { errors: unknown[] }).errors[0]).toEqual({
    message: `Validation error ${text}`,
    locations: expect.arrayContaining([{ line: 1, column }]),
    extensions: { classification: 'ValidationError' },
  })
  expect(body).not.toHaveProperty('data')
})

/** Text that is no query, place and message. */
const broken: readonly (readonly [string, number, string])[] = [
  ['', 1, "Invalid syntax with offending token '<EOF>' at line 1 column 1"],
  ['{block{number', 14, "Invalid syntax with offending token '<EOF>' at line 1 column 14"],
  ['{block(number){hash}}', 14, "Invalid syntax with offending token ')' at line 1 column 14"],
  ['nonsense', 1, "Invalid syntax with offending token 'nonsense' at line 1 column 1"],
  ['{chainID', 9, "Invalid syntax with offending token '<EOF>' at line 1 column 9"],
  ['{?}', 2, "Invalid syntax with ANTLR error 'token recognition error at: '?'' at line 1 column 2"],
  [
    '{chainID}}',
    10,
    "Invalid syntax encountered. There are extra tokens in the text that have not been consumed. Offending token '}' at line 1 column 10",
  ],
]

test.each(broken)('%s', async (query, column, message) => {
  expect(await node.ask(query)).toEqual({
    status: 400,
    body: {
      errors: [{ message, locations: [{ line: 1, column }], extensions: { classification: 'InvalidSyntax' } }],
    },
  })
})

/** Type of a variable, its value, and what is said about it. */
const variables: readonly (readonly [string, unknown, string])[] = [
  ['Long!', undefined, "Variable 'x' has coerced Null value for NonNull type 'Long!'"],
  ['Long!', null, "Variable 'x' has coerced Null value for NonNull type 'Long!'"],
  ['Bytes32!', '0xzz', 'Unable to parse variable value 0xzz as an Bytes32'],
  ['Bytes32!', 5, 'Unable to parse variable value 5 as an Bytes32'],
  ['Long!', true, 'Unable to parse variable value true as an Long'],
]

test.each(variables)('variable of type %s: %s', async (type, x, text) => {
  const field = type === 'Long!' ? 'block(number:$x){number}' : 'block(hash:$x){number}'
  expect(await node.ask(`query($x:${type}){${field}}`, x === undefined ? {} : { x })).toEqual({
    status: 400,
    body: {
      errors: [
        {
          message: `Variable 'x' has an invalid value: ${text}`,
          locations: [{ line: 1, column: 7 }],
          extensions: { classification: 'ValidationError' },
        },
      ],
    },
  })
})

test('a variable that lacks its prefix is told of without a place', async () => {
  expect(await node.ask('query($x:Bytes32){block(hash:$x){number}}', { x: '12' })).toEqual({
    status: 400,
    body: {
      errors: [
        {
          message: "Bytes32 value '12' is not prefixed with 0x",
          extensions: { classification: 'ValidationError' },
        },
      ],
    },
  })
})

/** Pieces of queries, good and bad, to be put together in any order. */
const pieces = [
  ...[
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    ':',
    '!',
    '$',
    '@',
    '...',
    '"',
    '#',
    ',',
    '\\',
    '"""',
    '\n',
    '-1',
    '1.5',
    'null',
    'true',
  ],
  ...[
    'query',
    'mutation',
    'subscription',
    'fragment',
    'on',
    'F',
    'Block',
    'Query',
    '__schema',
    '__typename',
    '$n',
    'Long',
  ],
  ...['block', 'number', 'transactions', 'logs', 'filter', 'account', 'address', '"0x1"', '5', 'hash', 'call', 'data'],
]

test('any text gets an answer', async () => {
  const text = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(' ')),
    fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => `{block(number:0){${parts.join(' ')}}}`),
  )
  await fc.assert(
    fc.asyncProperty(text, async (query) => {
      const { status, body } = await node.ask(query)
      expect([200, 400, 500]).toContain(status)
      expect(JSON.parse(JSON.stringify(body))).toHaveProperty(status === 200 ? 'data' : 'errors')
    }),
    { numRuns: 500 },
  )
  expect(node.internalErrors).toEqual([])
})
