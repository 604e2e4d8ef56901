// SELFDESTRUCT.
import { accountOf, addBalance, addFlags, exists, isEmpty, isFixed, isReadOnly, subtractBalance, touchSurcharge } from './accounts';
import { account, depth, frame, isStatic } from './frames';
import { addRefund, noteBalance } from './journal';
import {
  A_BALANCE, A_FLAGS, ACCOUNT_CREATED, ACCOUNT_DESTROYED, ACCOUNT_TOUCHED, HALT_SELFDESTRUCT, HALT_STATIC_VIOLATION,
  KIND_SELFDESTRUCT, R_SELF, RULE_DESTROY_ONLY_NEW, RULE_EMPTY_IS_DEAD, RULE_SHARED_CHANGES, RUNS_NOTHING,
  S_DESTROY_REFUND, S_NEW_ACCOUNT_BY_DESTROY,
} from './layout';
import { charge, has, price } from './schedule';
import { traceEnter, traceExit } from './trace';
import { clear, copy, isZero } from './word';

const BALANCE = memory.data(32, 16);

/** Sends the balance to the address in the word; the account is removed at the end of the transaction if the fork says so. */
export function selfdestruct(beneficiaryWord: usize, gas: i64): i64 {
  if (isStatic) return -HALT_STATIC_VIOLATION;
  const beneficiary = accountOf(beneficiaryWord);
  if (isFixed(account) || isReadOnly(beneficiary)) return -HALT_STATIC_VIOLATION;
  let cost = touchSurcharge(beneficiary, 0);
  const balance = account + A_BALANCE;
  const isNew = has(RULE_EMPTY_IS_DEAD) ? isEmpty(beneficiary) && !isZero(balance) : !exists(beneficiary);
  if (isNew) cost += price(S_NEW_ACCOUNT_BY_DESTROY);
  gas = charge(gas, cost);
  if (gas < 0) return gas;

  const flags = load<u32>(account, A_FLAGS);
  if (!(flags & ACCOUNT_DESTROYED) && price(S_DESTROY_REFUND)) addRefund(price(S_DESTROY_REFUND));
  copy(BALANCE, balance);
  const goes = !has(RULE_SHARED_CHANGES) && (!has(RULE_DESTROY_ONLY_NEW) || (flags & ACCOUNT_CREATED) != 0);
  if (beneficiary != account) {
    subtractBalance(account, BALANCE);
    addBalance(beneficiary, BALANCE);
  } else if (goes) {
    noteBalance(account);
    clear(balance);
  }
  if (goes) addFlags(account, ACCOUNT_DESTROYED | ACCOUNT_TOUCHED);
  if (EXACT) {
    const self = frame + R_SELF;
    traceEnter(KIND_SELFDESTRUCT, RUNS_NOTHING, depth + 1, self, beneficiary, beneficiary, BALANCE, 0, 0, 0);
    traceExit(depth + 1, HALT_SELFDESTRUCT, 0, 0, 0);
  }
  return gas;
}
