import type { FieldNode, GraphQLResolveInfo } from 'graphql'
import type { Budget } from './budget.ts'
import type { Loader } from './loader.ts'
import type { GraphqlPorts } from './ports.ts'

/** What fields of one request share: one view of the chain, read once, and one budget. */
export interface QueryContext {
  readonly ports: GraphqlPorts
  readonly load: Loader
  readonly budget: Budget
  /** Values that a field with all below it makes in the answer, when no list has more than one item. */
  readonly weights: ReadonlyMap<FieldNode, number>
}

/** How a type's fields are found, by name. Each says itself which arguments it takes. */
export type Fields<S> = Readonly<
  Record<string, (source: S, args: never, context: QueryContext, info: GraphQLResolveInfo) => unknown>
>

function weightOf({ weights }: QueryContext, { fieldNodes }: GraphQLResolveInfo): number {
  let sum = 0
  for (const node of fieldNodes) sum += weights.get(node) ?? 1
  return sum
}

/** A list that the request has to pay for at once. */
export function paidList<T>(items: readonly T[], context: QueryContext, info: GraphQLResolveInfo): readonly T[] {
  context.budget.spend(weightOf(context, info) * items.length)
  return items
}

/** Items that the request pays for one by one: what is too much is not even looked for. */
export function* paidItems<T>(items: Iterable<T>, context: QueryContext, info: GraphQLResolveInfo): Generator<T> {
  const weight = weightOf(context, info)
  for (const item of items) {
    context.budget.spend(weight)
    yield item
  }
}

/** Bytes per value of the budget. */
const bytesPerValue = 64

/** Bytes that the request has to pay for. */
export function paidBytes(bytes: Uint8Array, { budget }: QueryContext): Uint8Array {
  if (bytes.length > bytesPerValue) budget.spend(Math.floor(bytes.length / bytesPerValue))
  return bytes
}
