import type { Encoder, Schema } from './codec.ts'

interface Member<T> {
  readonly name: string
  readonly schema: Schema
  readonly optional: boolean
  /** JSON of the member with its name; undefined leaves it out. */
  encode(value: T): string | undefined
}

/** Declares a member: its name, its encoder and its value. */
interface MemberMaker<T> {
  <V>(name: string, encoder: Encoder<V>, get: (value: T) => V): Member<T>
  /** A member that is left out if its value is undefined. */
  optional<V>(name: string, encoder: Encoder<V>, get: (value: T) => V | undefined): Member<T>
}

function createMaker<T>(): MemberMaker<T> {
  const make = <V>(name: string, encoder: Encoder<V>, get: (value: T) => V): Member<T> => {
    const label = `"${name}":`
    return { name, schema: encoder.schema, optional: false, encode: (value) => label + encoder.encode(get(value)) }
  }
  const optional = <V>(name: string, encoder: Encoder<V>, get: (value: T) => V | undefined): Member<T> => {
    const label = `"${name}":`
    return {
      name,
      schema: encoder.schema,
      optional: true,
      encode(value) {
        const inner = get(value)
        return inner === undefined ? undefined : label + encoder.encode(inner)
      },
    }
  }
  return Object.assign(make, { optional })
}

type Declare<T> = (member: MemberMaker<T>) => readonly Member<T>[]

/** Members that several objects have in common. */
export function sharedMembers<T>(declare: Declare<T>): readonly Member<T>[] {
  return declare(createMaker<T>())
}

/** The same members, some of them replaced by those of the same name. */
export function replaceMembers<T>(members: readonly Member<T>[], declare: Declare<T>): readonly Member<T>[] {
  const others = new Map(declare(createMaker<T>()).map((member) => [member.name, member]))
  return members.map((member) => others.get(member.name) ?? member)
}

/** A JSON object with the declared members, in order. */
export function record<T>(title: string, declare: Declare<T>): Encoder<T> {
  const members = declare(createMaker<T>())
  return {
    schema: {
      title,
      type: 'object',
      properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
      required: members.filter(({ optional }) => !optional).map(({ name }) => name),
    },
    encode(value) {
      let text = ''
      for (const member of members) {
        const part = member.encode(value)
        if (part !== undefined) text += (text === '' ? '{' : ',') + part
      }
      return text === '' ? '{}' : text + '}'
    },
  }
}

/** A JSON object with a member for each entry of a map. */
export function dictionary<T>(inner: Encoder<T>): Encoder<ReadonlyMap<string, T>> {
  return {
    schema: { type: 'object', additionalProperties: inner.schema },
    encode(map) {
      let text = ''
      for (const [key, value] of map) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${inner.encode(value)}`
      return `{${text}}`
    },
  }
}
