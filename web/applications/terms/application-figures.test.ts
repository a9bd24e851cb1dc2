import { describe, expect, it } from 'vitest';
import { figuresOf, figureTexts, quoteTyped, receivedText } from './application-figures.ts';

const nothing = { discountPercentage: '-', feeRate: '-', feesCharged: '-', amountReceived: '-' };

describe('the figures of the application form', () => {
  it('follow from what is typed', () => {
    const figures = figuresOf({ faceValue: 100_000_000, amountAppliedFor: 900_000, tenorDays: 30 });
    expect(figureTexts(figures)).toEqual({
      discountPercentage: '90.0%',
      feeRate: '11%',
      feesCharged: '99,000.00',
      amountReceived: '801,000.00',
    });
    expect(receivedText(figures, 'UGX')).toBe('UGX 801,000');
  });

  it('show a discount of one decimal, and amounts to the cent', () => {
    const figures = figuresOf({ faceValue: 300_000_00, amountAppliedFor: 200_000.55, tenorDays: 7 });
    expect(figureTexts(figures)).toEqual({
      discountPercentage: '66.7%',
      feeRate: '3%',
      feesCharged: '6,000.02',
      amountReceived: '194,000.53',
    });
  });

  it('never promise a fee of nothing because no period is chosen', () => {
    const figures = figuresOf({ faceValue: 100_000_000, amountAppliedFor: 900_000, tenorDays: undefined });
    expect(figureTexts(figures)).toEqual({ ...nothing, discountPercentage: '90.0%' });
    expect(receivedText(figures, 'UGX')).toBe('-');
  });

  it('say nothing while nothing is typed', () => {
    const figures = figuresOf({ faceValue: undefined, amountAppliedFor: '', tenorDays: 15 });
    expect(figureTexts(figures)).toEqual({ ...nothing, feeRate: '7%' });
  });

  it('promise nothing above the maximum, or for less than nothing', () => {
    const above = figuresOf({ faceValue: 100_000_000, amountAppliedFor: 900_000.01, tenorDays: 30 });
    expect(figureTexts(above)).toEqual({ ...nothing, discountPercentage: '90.0%', feeRate: '11%' });
    expect([above.isAboveMaximum, receivedText(above, 'UGX')]).toEqual([true, '-']);
    const negative = figuresOf({ faceValue: 100_000_000, amountAppliedFor: -5, tenorDays: 30 });
    expect(figureTexts(negative)).toEqual({ ...nothing, feeRate: '11%' });
    expect([negative.isAboveMaximum, receivedText(negative, 'UGX')]).toEqual([false, '-']);
  });

  it('make a quote only of complete terms', () => {
    expect(quoteTyped({ faceValue: undefined, amountAppliedFor: 1, tenorDays: 7 })).toBeUndefined();
    expect(quoteTyped({ faceValue: 1, amountAppliedFor: '', tenorDays: 7 })).toBeUndefined();
    expect(quoteTyped({ faceValue: 1, amountAppliedFor: 1, tenorDays: undefined })).toBeUndefined();
    expect(quoteTyped({ faceValue: 1_000, amountAppliedFor: 9, tenorDays: 7 })).toMatchObject({ netProceeds: 873 });
  });
});
