import type { FieldNode, GraphQLResolveInfo } from 'graphql'
import type { RequestBudget } from '../query/requestBudget.ts'
import type { Turns } from '../system/turns.ts'
import type { Budget } from './budget.ts'
import type { Loader } from './loader.ts'
import type { GraphqlPorts } from './ports.ts'

/** What the fields of one request share: one view of the chain, and one budget. */
export interface QueryContext {
  readonly ports: GraphqlPorts
  readonly load: Loader
  readonly budget: Budget
  /** What the calls of the query share. */
  readonly trials: RequestBudget
  readonly turns: Turns
  /** Values in the response per field, with all below it, if each list has one item. */
  readonly weights: ReadonlyMap<FieldNode, number>
}

/** The resolvers of a type, by the name of the field. Each declares its own arguments. */
export type Fields<S> = Readonly<
  Record<string, (source: S, args: never, context: QueryContext, info: GraphQLResolveInfo) => unknown>
>

function weightOf({ weights }: QueryContext, { fieldNodes }: GraphQLResolveInfo): number {
  let sum = 0
  for (const node of fieldNodes) sum += weights.get(node) ?? 1
  return sum
}

/** A list that counts against the budget at once. */
export function paidList<T>(items: readonly T[], context: QueryContext, info: GraphQLResolveInfo): readonly T[] {
  context.budget.spend(weightOf(context, info) * items.length)
  return items
}

/** Items that count against the budget one by one: none is read beyond it. */
export function* paidItems<T>(items: Iterable<T>, context: QueryContext, info: GraphQLResolveInfo): Generator<T> {
  const weight = weightOf(context, info)
  for (const item of items) {
    context.budget.spend(weight)
    yield item
  }
}

/** Bytes per value of the budget. */
const bytesPerValue = 64

/** Bytes that count against the budget if they are long. */
export function paidBytes(bytes: Uint8Array, { budget }: QueryContext): Uint8Array {
  if (bytes.length > bytesPerValue) budget.spend(Math.floor(bytes.length / bytesPerValue))
  return bytes
}
