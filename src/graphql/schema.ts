import { buildSchema, type GraphQLObjectType, type GraphQLScalarType, type GraphQLSchema } from 'graphql'
import type { Fields } from './context.ts'
import { accountFields } from './fields/account.ts'
import { blockFields } from './fields/block.ts'
import { logFields } from './fields/log.ts'
import { mutationFields } from './fields/mutation.ts'
import { pendingFields } from './fields/pending.ts'
import { queryFields } from './fields/query.ts'
import { transactionFields } from './fields/transaction.ts'
import { withdrawalFields } from './fields/withdrawal.ts'
import { addressScalar, bigIntScalar, bytes32Scalar, bytesScalar, longScalar } from './scalars.ts'
import { typeDefs } from './typeDefs.ts'

/** The types with resolvers; all others are plain objects with members of the same names. */
const fieldsOfTypes: Readonly<Record<string, Fields<never>>> = {
  Query: queryFields,
  Mutation: mutationFields,
  Account: accountFields,
  Block: blockFields,
  Log: logFields,
  Pending: pendingFields,
  Transaction: transactionFields,
  Withdrawal: withdrawalFields,
}

function attachFields(schema: GraphQLSchema): void {
  for (const [type, fields] of Object.entries(fieldsOfTypes)) {
    const declared = (schema.getType(type) as GraphQLObjectType).getFields()
    for (const [name, field] of Object.entries(declared)) {
      const find = fields[name]
      if (!find) throw new Error(`${type}.${name} has no resolver`)
      // The types of context and source hold: only `fields/` creates them.
      field.resolve = find as NonNullable<typeof field.resolve>
    }
  }
}

function attachScalars(schema: GraphQLSchema, longAsHex: boolean): void {
  const scalars = [addressScalar, bytes32Scalar, bytesScalar, bigIntScalar, longScalar(longAsHex)]
  for (const { name, serialize, parseValue, parseLiteral } of scalars)
    Object.assign(schema.getType(name) as GraphQLScalarType, { serialize, parseValue, parseLiteral })
}

/** The schema, ready to execute queries in a `QueryContext`. */
export function createSchema(longAsHex: boolean): GraphQLSchema {
  const schema = buildSchema(typeDefs(longAsHex))
  attachFields(schema)
  attachScalars(schema, longAsHex)
  return schema
}
