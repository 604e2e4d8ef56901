// SLOAD, SSTORE, TLOAD and TSTORE.
import { isFixed } from './accounts';
import { account, isStatic } from './frames';
import { hasRoomFor, within } from './held';
import { addRefund } from './journal';
import {
  HALT_OUT_OF_GAS, HALT_STATIC_VIOLATION, L_VALUE, RULE_ACCESS_SETS, RULE_NET_STORE, RULE_STORE_SENTRY, S_COLD_SLOT,
  S_STORE_CLEAR_REFUND, S_STORE_KEEP, S_STORE_RESET, S_STORE_SET, S_WARM_ACCESS,
} from './layout';
import { charge, has, price } from './schedule';
import { isWarmSlot, originalOf, seeSlot, slotOf, warmSlot, writeSlot } from './slots';
import { readTransient, writeTransient } from './transient';
import { copy, equal, isZero } from './word';

const STIPEND: i64 = 2300;

/** Replaces the key by the value. */
export function loadSlot(at: usize, gas: i64): i64 {
  const slot = slotOf(account, at);
  seeSlot(slot);
  if (has(RULE_ACCESS_SETS) && !isWarmSlot(slot)) {
    gas = charge(gas, price(S_COLD_SLOT) - price(S_WARM_ACCESS));
    if (gas < 0) return gas;
    warmSlot(slot);
  }
  copy(at, slot + L_VALUE);
  return within(gas);
}

export function storeSlot(key: usize, value: usize, gas: i64): i64 {
  if (isStatic || isFixed(account)) return -HALT_STATIC_VIOLATION;
  if (has(RULE_STORE_SENTRY) && gas <= STIPEND) return -HALT_OUT_OF_GAS;
  const slot = slotOf(account, key);
  seeSlot(slot);
  let cost: i64 = 0;
  if (has(RULE_ACCESS_SETS) && !isWarmSlot(slot)) {
    cost = price(S_COLD_SLOT);
    warmSlot(slot);
  }
  const current = slot + L_VALUE;
  const same = equal(current, value);
  gas = charge(gas, cost + (has(RULE_NET_STORE) ? netPrice(slot, same) : grossPrice(current, value)));
  if (gas < 0) return gas;
  const credit = has(RULE_NET_STORE) ? (same ? 0 : netRefund(slot, value)) : grossRefund(current, value);
  if (credit) addRefund(credit);
  if (!same) writeSlot(slot, value);
  return within(gas);
}

function grossPrice(current: usize, value: usize): i64 {
  return isZero(current) && !isZero(value) ? price(S_STORE_SET) : price(S_STORE_RESET);
}

function grossRefund(current: usize, value: usize): i64 {
  return !isZero(current) && isZero(value) ? price(S_STORE_CLEAR_REFUND) : 0;
}

/** EIP-1283 and EIP-2200, in which only the first change of a slot is expensive. */
function netPrice(slot: usize, same: bool): i64 {
  const original = originalOf(slot);
  if (same || !equal(original, slot + L_VALUE)) return price(S_STORE_KEEP);
  return isZero(original) ? price(S_STORE_SET) : price(S_STORE_RESET);
}

function netRefund(slot: usize, value: usize): i64 {
  const original = originalOf(slot);
  const current = slot + L_VALUE;
  const clearing = price(S_STORE_CLEAR_REFUND);
  if (equal(original, current)) return !isZero(original) && isZero(value) ? clearing : 0;
  let credit: i64 = 0;
  if (!isZero(original)) {
    if (isZero(current)) credit -= clearing;
    else if (isZero(value)) credit += clearing;
  }
  if (equal(original, value)) {
    credit += (isZero(original) ? price(S_STORE_SET) : price(S_STORE_RESET)) - price(S_STORE_KEEP);
  }
  return credit;
}

/** Replaces the key by the value. */
export function loadTransient(at: usize): void {
  readTransient(account, at, at);
}

/** Returns 0 or the halt that it ends in. */
export function storeTransient(key: usize, value: usize): i32 {
  if (isStatic) return HALT_STATIC_VIOLATION;
  writeTransient(account, key, value);
  return hasRoomFor(0) ? 0 : HALT_OUT_OF_GAS;
}
