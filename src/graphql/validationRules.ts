import {
  type ASTNode,
  BREAK,
  type DocumentNode,
  ExecutableDefinitionsRule,
  FieldsOnCorrectTypeRule,
  FragmentsOnCompositeTypesRule,
  type GraphQLError,
  isNonNullType,
  Kind,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  KnownFragmentNamesRule,
  KnownTypeNamesRule,
  NoFragmentCyclesRule,
  NoUndefinedVariablesRule,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  OverlappingFieldsCanBeMergedRule,
  PossibleFragmentSpreadsRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  UniqueArgumentNamesRule,
  UniqueDirectivesPerLocationRule,
  UniqueFragmentNamesRule,
  UniqueInputFieldNamesRule,
  UniqueOperationNamesRule,
  UniqueVariableNamesRule,
  type ValidationContext,
  type ValidationRule,
  VariablesAreInputTypesRule,
  VariablesInAllowedPositionRule,
  visit,
} from 'graphql'
import { misfitOf } from './misfitOf.ts'
import { validationError } from './queryErrors.ts'
import { showValue } from './showValue.ts'

/** Besu's kind and message of an error that graphql-js found. */
type Complaint = readonly [kind: string, text: string]
type Translation = (error: GraphQLError, context: ValidationContext) => Complaint

/** The name that the invalid node has, or refers to. */
function nameIn({ nodes }: GraphQLError): string {
  const node = nodes?.[0]
  if (!node) return ''
  if (node.kind === Kind.NAME) return node.value
  if (node.kind === Kind.VARIABLE_DEFINITION) return node.variable.name.value
  return 'name' in node && node.name ? node.name.value : ''
}

/** The quoted parts of a message of graphql-js, in order. */
function quotedIn({ message }: GraphQLError): string[] {
  return Array.from(message.matchAll(/"\$?([^"]*)"/g), ([, word]) => word!)
}

function named(kind: string, text: (name: string) => string): Translation {
  return (error) => [kind, text(nameIn(error))]
}

const fragmentType: Translation = (error, context) => {
  const ofDefinition = context
    .getDocument()
    .definitions.some((one) => one.kind === Kind.FRAGMENT_DEFINITION && one.typeCondition === error.nodes?.[0])
  return ofDefinition
    ? ['FragmentTypeConditionInvalid', 'Fragment type condition is invalid, must be on Object/Interface/Union']
    : [
        'InlineFragmentTypeConditionInvalid',
        'Inline fragment type condition is invalid, must be on Object/Interface/Union',
      ]
}

const leaf: Translation = (error, context) => {
  const [field] = quotedIn(error)
  const type = String(context.getType())
  return error.message.includes('must have a selection')
    ? ['SubselectionRequired', `Subselection required for type '${type}' of field '${field}'`]
    : ['SubselectionNotAllowed', `Subselection not allowed on leaf type '${type}' of field '${field}'`]
}

const spread: Translation = (error) => {
  const node = error.nodes?.[0]
  const what = node?.kind === Kind.FRAGMENT_SPREAD ? `Fragment '${node.name.value}'` : 'Fragment'
  const [own, other] = quotedIn(error).slice(-2)
  return [
    'InvalidFragmentType',
    `${what} cannot be spread here as objects of type '${own}' can never be of type '${other}'`,
  ]
}

const overlap: Translation = (error) => {
  const [key] = quotedIn(error)
  const different = /"([^"]*)" and "([^"]*)" are different fields/.exec(error.message)
  return [
    'FieldsConflict',
    different
      ? `'${key}' : '${different[1]}' and '${different[2]}' are different fields`
      : `'${key}' : fields have different arguments`,
  ]
}

const translations: readonly (readonly [ValidationRule, Translation])[] = [
  [
    ExecutableDefinitionsRule,
    named('NonExecutableDefinition', (name) =>
      name === '' ? 'Schema definition is not executable' : `Type '${name}' definition is not executable`,
    ),
  ],
  [
    UniqueOperationNamesRule,
    named('DuplicateOperationName', (name) => `There can be only one operation named '${name}'`),
  ],
  [KnownTypeNamesRule, named('UnknownType', (name) => `Unknown type '${name}'`)],
  [FragmentsOnCompositeTypesRule, fragmentType],
  [
    VariablesAreInputTypesRule,
    (error) => {
      const [name, type] = quotedIn(error)
      return ['NonInputTypeOnVariable', `Input variable '${name}' type '${type}' is not an input type`]
    },
  ],
  [ScalarLeafsRule, leaf],
  [
    FieldsOnCorrectTypeRule,
    (error, context) => [
      'FieldUndefined',
      `Field '${nameIn(error)}' in type '${context.getParentType()?.name}' is undefined`,
    ],
  ],
  [UniqueFragmentNamesRule, named('DuplicateFragmentName', (name) => `There can be only one fragment named '${name}'`)],
  [KnownFragmentNamesRule, named('UndefinedFragment', (name) => `Undefined fragment '${name}'`)],
  [NoUnusedFragmentsRule, named('UnusedFragment', (name) => `Unused fragment '${name}'`)],
  [PossibleFragmentSpreadsRule, spread],
  [NoFragmentCyclesRule, () => ['FragmentCycle', 'Fragment cycles not allowed']],
  [UniqueVariableNamesRule, named('DuplicateVariableName', (name) => `There can be only one variable named '${name}'`)],
  [NoUndefinedVariablesRule, named('UndefinedVariable', (name) => `Undefined variable '${name}'`)],
  [NoUnusedVariablesRule, named('UnusedVariable', (name) => `Unused variable '${name}'`)],
  [
    KnownDirectivesRule,
    (error) =>
      error.message.startsWith('Unknown')
        ? ['UnknownDirective', `Unknown directive '${nameIn(error)}'`]
        : ['MisplacedDirective', `Directive '${nameIn(error)}' not allowed here`],
  ],
  [
    UniqueDirectivesPerLocationRule,
    named(
      'DuplicateDirectiveName',
      (name) =>
        `Non repeatable directives must be uniquely named within a location. The directive '${name}' is not unique`,
    ),
  ],
  [
    KnownArgumentNamesRule,
    (error) =>
      error.message.includes('on directive')
        ? ['UnknownDirective', `Unknown directive argument '${nameIn(error)}'`]
        : ['UnknownArgument', `Unknown field argument '${nameIn(error)}'`],
  ],
  [
    UniqueArgumentNamesRule,
    named('DuplicateArgumentNames', (name) => `There can be only one argument named '${name}'`),
  ],
  [
    ProvidedRequiredArgumentsRule,
    (error) => {
      const [, name] = quotedIn(error)
      return error.nodes?.[0]?.kind === Kind.DIRECTIVE
        ? ['MissingDirectiveArgument', `Missing directive argument '${name}'`]
        : ['MissingFieldArgument', `Missing field argument '${name}'`]
    },
  ],
  [
    VariablesInAllowedPositionRule,
    (error) => {
      const [name, have, want] = quotedIn(error)
      return ['VariableTypeMismatch', `Variable '${name}' of type '${have}' used in position expecting type '${want}'`]
    },
  ],
  [OverlappingFieldsCanBeMergedRule, overlap],
  [UniqueInputFieldNamesRule, named('UniqueObjectFieldName', (name) => `There can be only one field named '${name}'`)],
]

/** Rules whose errors Besu locates at a node around the one that graphql-js names. */
const placeKinds: Readonly<Record<string, Kind>> = {
  DuplicateArgumentNames: Kind.FIELD,
  DuplicateFragmentName: Kind.FRAGMENT_DEFINITION,
  DuplicateOperationName: Kind.OPERATION_DEFINITION,
  DuplicateVariableName: Kind.VARIABLE_DEFINITION,
  FragmentCycle: Kind.FRAGMENT_DEFINITION,
  FragmentTypeConditionInvalid: Kind.FRAGMENT_DEFINITION,
  InlineFragmentTypeConditionInvalid: Kind.INLINE_FRAGMENT,
  NonInputTypeOnVariable: Kind.VARIABLE_DEFINITION,
  SubselectionNotAllowed: Kind.FIELD,
  UndefinedFragment: Kind.FRAGMENT_SPREAD,
}
/** Rules whose errors Besu locates at the last of several nodes. */
const ofLast: ReadonlySet<string> = new Set([
  ...['DuplicateFragmentName', 'DuplicateOperationName', 'DuplicateVariableName', 'VariableTypeMismatch'],
])

/** The path of nodes from the document to one of its nodes. */
function wayTo(document: DocumentNode, node: ASTNode): readonly ASTNode[] {
  let way: readonly ASTNode[] = []
  visit(document, {
    enter(one, _key, parent, _path, ancestors) {
      if (one !== node) return undefined
      way = [...ancestors, parent, one].filter((step) => step !== undefined && 'kind' in step)
      return BREAK
    },
  })
  return way
}

/** The names of the fields on a path, and of the fragment that it starts in. */
function pathOf(way: readonly ASTNode[]): string[] {
  return way.flatMap((node) =>
    node.kind === Kind.FIELD || node.kind === Kind.FRAGMENT_DEFINITION ? [node.name.value] : [],
  )
}

/** The error of Besu for an error of graphql-js. */
function errorOf([kind, text]: Complaint, nodes: readonly ASTNode[], document: DocumentNode): GraphQLError {
  if (kind === 'UnusedFragment') return validationError(kind, [], text, nodes)
  const way = wayTo(document, ofLast.has(kind) ? nodes.at(-1)! : nodes[0]!)
  // Besu locates conflicting fields at their parent.
  if (kind === 'FieldsConflict') return validationError(kind, pathOf(way.slice(0, -1)), text, nodes)
  const wanted = placeKinds[kind]
  const length = wanted ? way.findLastIndex((node) => node.kind === wanted) + 1 : way.length
  return validationError(kind, pathOf(way.slice(0, length)), text, way.slice(length - 1, length))
}

function translated(rule: ValidationRule, translate: Translation): ValidationRule {
  return (context) => {
    const reportError = (error: GraphQLError) =>
      context.reportError(errorOf(translate(error, context), error.nodes ?? [], context.getDocument()))
    return rule(Object.create(context, { reportError: { value: reportError } }) as ValidationContext)
  }
}

/** An anonymous operation must be the only one. */
const loneRule: ValidationRule = (context) => {
  let operations = 0
  let anonymous = false
  const complain = (text: string, node: ASTNode) =>
    context.reportError(errorOf(['LoneAnonymousOperationViolation', text], [node], context.getDocument()))
  return {
    OperationDefinition(node) {
      if (node.name && anonymous) complain(`Operation '${node.name.value}' is following anonymous operation`, node)
      if (!node.name && operations > 0) complain('Anonymous operation with other operations', node)
      anonymous ||= !node.name
      operations++
    },
  }
}

/** Literals must have the type of their argument or input field. */
const valuesRule: ValidationRule = (context) => {
  const complain = (complaint: Complaint, node: ASTNode) =>
    context.reportError(errorOf(complaint, [node], context.getDocument()))
  return {
    Field(node) {
      for (const { name, value } of node.arguments ?? []) {
        const wanted = context.getFieldDef()?.args.find((one) => one.name === name.value)
        if (value.kind === Kind.NULL && wanted && isNonNullType(wanted.type))
          complain(['NullValueForNonNullArgument', `Null value for non-null field argument '${name.value}'`], node)
      }
    },
    Argument(node) {
      const type = context.getArgument()?.type
      const misfit = type && misfitOf(node.value, type)
      if (misfit) complain(['WrongType', `argument '${node.name.value}${misfit.path}' ${misfit.text}`], node)
    },
    VariableDefinition(node) {
      const type = context.getInputType()
      const value = node.defaultValue
      if (!type || !value || !misfitOf(value, type)) return
      complain(['BadValueForDefaultArg', `Bad default value '${showValue(value)}' for type '${type}'`], node)
    },
  }
}

/** The rules of the specification, with the messages of Besu. */
export const validationRules: readonly ValidationRule[] = [
  loneRule,
  ...translations.map(([rule, translate]) => translated(rule, translate)),
  valuesRule,
]
