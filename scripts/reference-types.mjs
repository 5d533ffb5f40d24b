import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { linkedCode } from './reference-links.mjs';
import { cell, code, prose, table, unitOf } from './reference-markdown.mjs';

/** @typedef {import('./reference-names.mjs').PublicName} PublicName */
/** @typedef {import('./reference-names.mjs').PublicNames} PublicNames */
/**
 * One thing that an interface, class or object has.
 *
 * @typedef {{ name: string, type: string, isOptional: boolean, isMethod: boolean, about: string, default: string }} MemberText
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Called by the browser or by Lit, never by an application. */
const LIFECYCLE = /Callback$|^(?:update|updated|willUpdate|firstUpdated|render|createRenderRoot)$/;

/** Writes what is to be known of a public name. */
export class TypeTexts {
  #sources;
  #defaults;

  /**
   * @param {PublicNames} sources
   * @param {ReadonlyMap<ts.Node | string, string>} defaults
   */
  constructor(sources, defaults) {
    this.#sources = sources;
    this.#defaults = defaults;
  }

  /**
   * What its comment says; empty = nothing.
   *
   * @param {ts.Symbol} symbol
   */
  about(symbol) {
    return ts.displayPartsToString(symbol.getDocumentationComment(this.#sources.checker)).trim();
  }

  /**
   * The section of a name: heading, how it is written, meaning, and a table of what it has.
   *
   * @param {PublicName} name
   * @param {string} page
   */
  section(name, page) {
    const parts = [
      `### ${name.name}`,
      this.#signatures(name, page).join('  \n'),
      prose(this.about(name.symbol)),
    ];
    const members = this.members(name);
    if (members.length > 0) parts.push(this.table(members, page));
    return parts.filter((part) => part !== '').join('\n\n');
  }

  /**
   * @param {readonly MemberText[]} members
   * @param {string} page
   */
  table(members, page) {
    return table(
      ['name', 'type', 'default', 'unit', 'meaning'],
      members.map((member) => [
        code(member.isOptional ? `${member.name}?` : member.name),
        this.linked(member.type, page),
        code(member.default),
        unitOf(member.name, member.about),
        cell(member.about),
      ]),
    );
  }

  /**
   * The public members of an interface, a class, a type of one shape or an object, in the order of the source.
   *
   * @param {PublicName} name
   * @returns {readonly MemberText[]}
   */
  members({ symbol, declaration, tag }) {
    const { checker } = this.#sources;
    if (tag !== null) return [];
    const isShape =
      ts.isInterfaceDeclaration(declaration) ||
      ts.isClassDeclaration(declaration) ||
      ts.isTypeAliasDeclaration(declaration);
    const isObject =
      ts.isVariableDeclaration(declaration) &&
      declaration.type === undefined &&
      /^(?:\{|Object\.freeze)/.test(declaration.initializer?.getText() ?? '');
    if (!isShape && !isObject) return [];
    const type = isShape ? checker.getDeclaredTypeOfSymbol(symbol) : checker.getTypeOfSymbol(symbol);
    const isPlain = type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection);
    if (!isPlain || type.getCallSignatures().length > 0 || checker.isArrayLikeType(type)) return [];
    return type.getProperties().flatMap((member) => this.#member(member, isObject));
  }

  /**
   * @param {ts.Symbol} member
   * @param {boolean} isObject
   * @returns {MemberText[]}
   */
  #member(member, isObject) {
    const declaration = member.valueDeclaration ?? member.declarations?.[0];
    if (declaration === undefined || !isOurs(declaration) || isHidden(member, declaration)) return [];
    const { checker } = this.#sources;
    const isMethod = ts.isMethodDeclaration(declaration) || ts.isMethodSignature(declaration);
    const written =
      ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration)
        ? declaration.type
        : undefined;
    const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
    const overloads = (member.declarations ?? []).filter(
      (one) => (ts.isMethodDeclaration(one) && one.body === undefined) || ts.isMethodSignature(one),
    );
    const callables = /** @type {ts.SignatureDeclaration[]} */ (
      overloads.length > 0 ? overloads : [declaration]
    );
    return [
      {
        name: member.name,
        type: isMethod
          ? callables.map((callable) => this.#callable('', callable)).join(' & ')
          : isObject
            ? ''
            : (written?.getText() ?? checker.typeToString(checker.getTypeOfSymbol(member), declaration)),
        isOptional,
        isMethod,
        about: this.about(member),
        default:
          this.#defaults.get(declaration) ?? (isOptional ? this.#defaults.get(member.name) : undefined) ?? '',
      },
    ];
  }

  /**
   * @param {PublicName} name
   * @param {string} page
   * @returns {string[]}
   */
  #signatures({ name, symbol, declaration, tag }, page) {
    const linked = (/** @type {string} */ text) => this.linked(text, page);
    if (ts.isFunctionDeclaration(declaration)) {
      const all = /** @type {ts.FunctionDeclaration[]} */ (symbol.declarations ?? []);
      const overloads = all.length > 1 ? all.filter(({ body }) => body === undefined) : all;
      return overloads.map((overload) => linked(this.#callable(name, overload)));
    }
    if (ts.isTypeAliasDeclaration(declaration)) {
      const isLong = this.members({ ...emptyName, symbol, declaration, tag }).length > 0;
      return isLong && ts.isTypeLiteralNode(declaration.type)
        ? []
        : [`${code(`${name} =`)} ${linked(declaration.type.getText())}`];
    }
    if (ts.isVariableDeclaration(declaration)) return [linked(this.#constant(name, declaration))];
    if (ts.isClassDeclaration(declaration) && tag === null) {
      const constructor = declaration.members.find(ts.isConstructorDeclaration);
      return constructor === undefined ? [] : [linked(`new ${this.#callable(name, constructor)}`)];
    }
    return [];
  }

  /**
   * @param {string} name
   * @param {ts.VariableDeclaration} declaration
   */
  #constant(name, { type, initializer }) {
    const value = initializer?.getText() ?? '';
    if (type !== undefined) return `${name}: ${type.getText()}`;
    if (
      initializer !== undefined &&
      (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
    ) {
      return this.#callable(name, initializer);
    }
    return value.length <= 80 ? `${name} = ${value}` : name;
  }

  /**
   * @param {string} name
   * @param {ts.SignatureDeclaration} declaration
   */
  #callable(name, declaration) {
    const { checker } = this.#sources;
    const typeParameters = declaration.typeParameters?.map((parameter) => parameter.getText()).join(', ');
    const parameters = declaration.parameters.map((parameter) => {
      const isPattern = !ts.isIdentifier(parameter.name);
      const label = isPattern ? 'options' : parameter.name.getText();
      const isOptional = parameter.questionToken !== undefined || parameter.initializer !== undefined;
      const rest = parameter.dotDotDotToken === undefined ? '' : '...';
      const type = parameter.type?.getText() ?? checker.typeToString(checker.getTypeAtLocation(parameter));
      const isPlainDefault =
        parameter.initializer !== undefined && /^[\w'".]+$/.test(parameter.initializer.getText());
      return `${rest}${label}${isOptional ? '?' : ''}: ${type}${isPlainDefault ? ` = ${parameter.initializer.getText()}` : ''}`;
    });
    const signature = checker.getSignatureFromDeclaration(declaration);
    const answer = ts.isConstructorDeclaration(declaration)
      ? ''
      : `${name === '' ? ' => ' : ': '}${declaration.type?.getText() ?? (signature === undefined ? 'unknown' : checker.typeToString(signature.getReturnType()))}`;
    return `${name}${typeParameters === undefined ? '' : `<${typeParameters}>`}(${parameters.join(', ')})${answer}`;
  }

  /**
   * Code in which the names of the reference are links.
   *
   * @param {string} text
   * @param {string} page
   */
  linked(text, page) {
    return linkedCode(text, page, this.#sources.names);
  }
}

const emptyName = { name: '', file: '', page: '', anchor: '' };

/** @param {ts.Node} node */
function isOurs(node) {
  const { fileName } = node.getSourceFile();
  return fileName.startsWith(ROOT) && !fileName.includes('node_modules');
}

/**
 * @param {ts.Symbol} member
 * @param {ts.Declaration} declaration
 */
function isHidden(member, declaration) {
  const isInner = member.getJsDocTags().some(({ name }) => name === 'internal');
  const flags = ts.getCombinedModifierFlags(declaration);
  const isPrivate = (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0;
  // The name of an error is its class'; what is overridden is explained where it comes from.
  const isOverride = (flags & ts.ModifierFlags.Override) !== 0;
  return isInner || isPrivate || isOverride || member.name.startsWith('#') || LIFECYCLE.test(member.name);
}
