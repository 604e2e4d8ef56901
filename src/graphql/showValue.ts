import { Kind, type ValueNode } from 'graphql'

/** A literal as graphql-java prints it in Besu's error messages. */
export function showValue(node: ValueNode): string {
  switch (node.kind) {
    case Kind.STRING:
      return `StringValue{value='${node.value}'}`
    case Kind.INT:
      return `IntValue{value=${node.value}}`
    case Kind.FLOAT:
      return `FloatValue{value=${node.value}}`
    case Kind.BOOLEAN:
      return `BooleanValue{value=${node.value}}`
    case Kind.ENUM:
      return `EnumValue{name='${node.value}'}`
    case Kind.VARIABLE:
      return `VariableReference{name='${node.name.value}'}`
    case Kind.LIST:
      return `ArrayValue{values=[${node.values.map(showValue).join(', ')}]}`
    case Kind.OBJECT: {
      const fields = node.fields.map(
        ({ name, value }) => `ObjectField{name='${name.value}', value=${showValue(value)}}`,
      )
      return `ObjectValue{objectFields=[${fields.join(', ')}]}`
    }
    case Kind.NULL:
      return 'NullValue{}'
  }
}
