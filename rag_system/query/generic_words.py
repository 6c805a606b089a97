"""Words that fit any subject: a question made of nothing else («¿cuáles son los requisitos?») lacks its own."""

from __future__ import annotations

from rag_system.query.text import stem

__all__ = ["GENERIC_STEMS", "PREDICATES"]

_VERBS = """
    durar dura demorar demora tardar tarda costar cuesta cuestan servir sirve sirven usar usa usan utilizar utiliza aplicar aplica aplican vencer vence
    vencen pagar paga pagan pago cobrar cobra cobran presentar presenta presentan presento solicitar solicita solicitan solicito pedir pide piden pido
    tramitar tramita tramito obtener obtiene obtengo calcular calcula calculan hacer hace hacen hago funcionar funciona funcionan instalar instala
    configurar configura empezar empieza comenzar comienza iniciar inicia terminar termina acabar acaba regular regula regulan exigir exige exigen
    establecer establece establecen disponer dispone disponen definir define definen decir dice dicen señalar señala señalan indicar indica indican
    aprobar aprueba aprueban aprobo emitir emite emiten firmar firma firman otorgar otorga otorgan dar da dan doy autorizar autoriza corresponder
    corresponde corresponden tocar toca tocan perder pierde pierdo pierden ganar gana recibir recibe reciben recibo cumplir cumple cumplen cumplo
    incumplir incumple incumplen incumplo pasar pasa pasan ocurrir ocurre suceder sucede existir existe existen haber incluir incluye incluyen
    contener contiene cubrir cubre cubren permitir permite permiten prohibir prohibe prohiben obligar obliga obligan sancionar sanciona sancionan
    multar multan afectar afecta afectan proteger protege cambiar cambia cambio cambian modificar modifica modifico derogar deroga derogo
    publicar publica publico entrar entra salir sale poder querer saber conocer necesitar necesita necesito requerir requiere requieren tener
    llamar llama encontrar encuentra ver revisar consultar consulta descargar descarga bajar enviar envia mandar manda entregar entrega registrar
    registra inscribir inscribe renovar renueva anular anula cancelar cancela apelar apela impugnar impugna reclamar reclama denunciar denuncia
    acumular acumula sumar suma contar cuenta computar computa descontar descuenta encargar encarga decidir decide responder responde tratar trata
    referir refiere significar significa llevar lleva deber quedar queda poner pone ponen tomar toma traer trae seguir sigue mencionar menciona
    prorrogar prorroga extender extiende ampliar amplia suspender suspende resolver resuelve notificar notifica valer vale importar importa
    considerar considera implicar implica fijar fija prever preve abarcar abarca alcanzar alcanza concluir concluye sostener sostiene afirmar afirma
    diferenciar diferencia comparar compara relacionar relaciona distinguir explicar explica resumir resume ayudar ayuda
"""
_NOUNS = """
    requisito requisitos plazo plazos sancion sanciones multa multas excepcion excepciones exceptuado exceptuados exceptuadas costo costos precio
    tarifa monto montos cantidad porcentaje tasa ventaja ventajas desventaja desventajas ejemplo ejemplos diferencia diferencias objetivo objetivos
    alcance alcances principio principios beneficio beneficios obligacion obligaciones derecho derechos deber deberes definicion definiciones finalidad
    proposito articulo articulos capitulo capitulos titulo inciso numeral literal anexo anexos reglamento ley leyes norma normas decreto resolucion
    vigencia fecha fechas tiempo dia dias mes meses año años hora horas semana caso casos tipo tipos clase clases parte partes paso pasos etapa etapas
    fase fases proceso procedimiento tramite tramites documento documentos formato formulario solicitud limite limites maximo minimo maxima minima
    condicion condiciones responsable responsables encargado autoridad entidad organismo institucion consecuencia consecuencias efecto efectos pena penas
    castigo castigos infraccion infracciones causa causas causal causales motivo motivos razon razones elemento elementos componente componentes
    estructura contenido contenidos caracteristica caracteristicas funcion funciones uso usos medida medidas punto puntos tema temas detalle detalles
    persona personas manera forma modo lugar sitio pagina nombre numero valor valores resultado resultados recomendacion recomendaciones
    metodologia muestra conclusion conclusiones recurso recursos criterio criterios clausula clausulas control controles version edicion texto autor
    vez veces cosa cosas algo resto tabla lista cuadro dato
"""
_ADJECTIVES = """
    obligatorio obligatoria obligatorios obligatorias posible posibles necesario necesaria nuevo nueva nuevos mayor menor mejor peor principal principales
    importante importantes valido valida legal ilegal gratis gratuito gratuita vigente aplicable aplicables exigible facil dificil rapido caro barato
    actual anterior siguiente ultimo primero segundo especial especiales general generales distinto diferente cierto suficiente adicional adicionales
    permitido prohibido recomendable basico completo comun previo posterior total similar igual
    aqui alli ahora antes despues siempre nunca todavia aun normalmente exactamente realmente mucho mucha mucho poco bastante
"""

GENERIC_STEMS = frozenset(stem(word) for word in f"{_VERBS} {_NOUNS} {_ADJECTIVES}".split())

# Verbs in the third person, as they follow «el primero…» or a pronoun («quién lo regula»).
PREDICATES = "|".join(
    """
    regula regulan aplica aplican aprueba aprueban aprobo exige exigen define definen establece establecen paga pagan cobra cobran tiene tienen toca tocan
    corresponde corresponden dan da hace hacen debe deben puede pueden puedo debo obliga obligan sanciona sancionan usa usan emite emiten otorga otorgan
    autoriza autorizan fiscaliza supervisa necesito pierdo presento tramito solicito pido calcula calculan instala configura administra dirige protege
    incluye cubre garantiza permite prohibe deroga derogo modifica modifico requiere requieren pide piden dice dicen sirve sirven dura demora cuesta
    cuestan vence funciona contiene trata explica describe determina determinan fija fijan imponen impone resuelve resuelven consigo obtengo hago
    encuentro descargo inscribo registro renuevo anulo cancelo apelo denuncio reclamo conoce mencionan menciona consideran considera significa es son
    """.split()
)
