import type { NodeRule, TxRule } from './rules.ts'

/** All rules must allow a transaction; the first that does not decides. Undefined without rules. */
export function combineTxRules(rules: readonly TxRule[]): TxRule | undefined {
  if (rules.length === 0) return undefined
  return {
    check(tx, sender) {
      for (const rule of rules) {
        const verdict = rule.check(tx, sender)
        if (verdict !== 'allowed') return verdict
      }
      return 'allowed'
    },
  }
}

/** All rules must allow a connection; without rules all connections are allowed. */
export function combineNodeRules(rules: readonly NodeRule[]): NodeRule {
  return {
    allows: (source, destination) => rules.every((rule) => rule.allows(source, destination)),
    onChange(listener) {
      const ends = rules.map((rule) => rule.onChange(listener))
      return () => {
        for (const end of ends) end()
      }
    },
  }
}
