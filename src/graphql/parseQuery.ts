import {
  type DocumentNode,
  GraphQLError,
  getLocation,
  Lexer,
  type ParseOptions,
  parse,
  Source,
  TokenKind,
} from 'graphql'
import { syntaxError } from './queryErrors.ts'

/** The limits of Besu's parser. */
const limits = { characters: 1024 * 1024, tokens: 15_000, rules: 500 }
/** Grammar rules per level of nesting. */
const rulesPerLevel = 3

const parseOptions: ParseOptions = { maxTokens: limits.tokens }
const opening: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L])
const closing: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R])

const formatted = (n: number): string => n.toLocaleString('en-US')

function cancelled(what: string, source: Source, position = 0): GraphQLError {
  const message = `More than ${what}. To prevent Denial Of Service attacks, parsing has been cancelled.`
  return syntaxError(message, source, position)
}

/** Refuses a query that is too long or too deep, before it is parsed. */
function checkBounds(source: Source): void {
  if (source.body.length > limits.characters)
    throw cancelled(`${formatted(limits.characters)} characters have been presented`, source)
  const lexer = new Lexer(source)
  let depth = 0
  for (let tokens = 0; ; tokens++) {
    const { kind, start } = lexer.advance()
    if (kind === TokenKind.EOF) return
    if (tokens >= limits.tokens)
      throw cancelled(`${formatted(limits.tokens)} 'grammar' tokens have been presented`, source, start)
    if (closing.has(kind)) depth--
    else if (opening.has(kind) && ++depth * rulesPerLevel > limits.rules)
      throw cancelled(`${limits.rules} deep 'grammar' rules have been entered`, source, start)
  }
}

/** The token at a position; undefined if there is none. */
function tokenAt(text: string, position: number): string | undefined {
  const rest = text.slice(position)
  try {
    const { kind, start, end } = new Lexer(new Source(rest)).advance()
    return kind === TokenKind.EOF ? '<EOF>' : rest.slice(start, end)
  } catch {
    return undefined
  }
}

function isDocument(text: string): boolean {
  try {
    parse(text, parseOptions)
    return true
  } catch {
    return false
  }
}

/** A syntax error with the message of Besu. */
function explain(source: Source, position: number): GraphQLError {
  const { line, column } = getLocation(source, position)
  const place = `at line ${line} column ${column}`
  const token = tokenAt(source.body, position)
  if (token === undefined) {
    const character = source.body.charAt(position)
    const message = `Invalid syntax with ANTLR error 'token recognition error at: '${character}'' ${place}`
    return syntaxError(message, source, position)
  }
  // Besu has another message for text that follows a complete document.
  const message = isDocument(source.body.slice(0, position))
    ? `Invalid syntax encountered. There are extra tokens in the text that have not been consumed. Offending token '${token}' ${place}`
    : `Invalid syntax with offending token '${token}' ${place}`
  return syntaxError(message, source, position)
}

/** Parses a query; throws errors with the messages of Besu. */
export function parseQuery(text: string): DocumentNode {
  const source = new Source(text)
  try {
    checkBounds(source)
    return parse(source, parseOptions)
  } catch (error) {
    if (!(error instanceof GraphQLError) || error.extensions['classification'] !== undefined) throw error
    throw explain(source, error.positions?.[0] ?? 0)
  }
}
